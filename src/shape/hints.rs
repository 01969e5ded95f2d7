//! Cache hints of a result that is made of several.

use super::Reader;
use super::error::ShapeError;
use super::reader::ShapePolicy;
use super::walk::Walk;
use crate::handshake::{CacheHint, CacheScope};
use crate::json::{Cursor, Kind};
use crate::table::Revision;

/// The hint of a result, a JSON object; what it does not say, or not well, is the policy's.
///
/// # Errors
///
/// `result` is no JSON object, or says a hint twice.
pub fn cache_hint(result: &[u8], policy: &ShapePolicy) -> Result<CacheHint, ShapeError> {
    let reader = Reader::of(Revision::ALL[0]); // whose words these are makes no difference
    let mut walk = Walk::new(Cursor::new(result, policy.limits)?, &reader);
    let [ttl, scope] = walk.read_for(["ttlMs", "cacheScope"])?;
    walk.cursor.end()?;
    let digits = std::str::from_utf8(ttl.token(result)).unwrap_or_default();
    let ttl_ms = match ttl.kind() {
        // Longer than five hundred million years is as good as that.
        Kind::Integer if !digits.starts_with('-') => digits.parse().unwrap_or(u64::MAX),
        _ => policy.default_ttl_ms,
    };
    let said = scope.text(result);
    let said = [CacheScope::Private, CacheScope::Public]
        .into_iter()
        .find(|scope| said.as_deref() == Some(scope.as_str().as_bytes()));
    let scope = if policy.per_caller { CacheScope::Private } else { said.unwrap_or(policy.default_cache_scope) };
    Ok(CacheHint { ttl_ms, scope })
}

/// The hint of one result that is made of `results`, or of one list in several pages: the smallest time, and private
/// where any of them is; of no results, the policy's.
///
/// Spec: 2026-07-28 server/utilities/caching.
///
/// # Errors
///
/// As for [`cache_hint`].
pub fn merge_cache_hints<'a>(
    results: impl IntoIterator<Item = &'a [u8]>,
    policy: &ShapePolicy,
) -> Result<CacheHint, ShapeError> {
    let mut merged: Option<CacheHint> = None;
    for (index, result) in results.into_iter().enumerate() {
        let hint = cache_hint(result, policy).map_err(|error| error.in_element(index))?;
        merged = Some(match merged {
            None => hint,
            Some(held) => CacheHint {
                ttl_ms: held.ttl_ms.min(hint.ttl_ms),
                scope: if held.scope == CacheScope::Public { hint.scope } else { held.scope },
            },
        });
    }
    merged.map_or_else(|| cache_hint(b"{}", policy), Ok)
}
