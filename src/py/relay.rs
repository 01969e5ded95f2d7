//! What stands between the gate and an application, for `revcap.asgi`.

use std::borrow::Cow;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use super::gate::Gate;
use super::reply::Reply;
use super::session::Session;
use super::verdict::Verdict;
use crate::gate::{Decision, MessageKind};
use crate::relay::{Asked, Care, Content, Start, names_no_session};
use crate::session as core;

const START: &str = "http.response.start";

/// Nothing has to be done about an answer.
const PASS: u8 = 0;
/// Its status depends on its body.
const HOLD: u8 = 1;
/// It names a session where there is none.
const SESSION: u8 = 1 << 1;
/// Its body is coded, and cannot be read.
const CODED: u8 = 1 << 2;
/// It is one JSON text, and answers a request.
const JSON: u8 = 1 << 3;
/// It is an event stream that a client asked for.
const STREAM: u8 = 1 << 4;

/// What the verdict asks of a host, as the bits of `Care`.
#[pyfunction]
pub(super) fn care(verdict: &Verdict) -> u8 {
    Care::of(verdict.decision(), verdict.sessions()).bits()
}

/// Whether the body goes on as it is, as one message, and only its answer may ask for something: nearly every request.
#[pyfunction]
pub(super) fn is_plain(py: Python<'_>, verdict: &Verdict) -> bool {
    let decision = verdict.decision();
    (Care::of(decision, verdict.sessions()) - Care::ANSWER).is_empty() && decision.hands_on_all_of(verdict.body(py))
}

/// The verdict on a body that is too long by its own declaration, or None: it may be read.
#[pyfunction]
pub(super) fn declared_too_large(gate: &Bound<'_, Gate>, headers: &Bound<'_, PyAny>) -> PyResult<Option<Verdict>> {
    let cap = gate.get().core().policy().max_body_bytes;
    let mut is_too_large = false;
    each_line(headers, |name, value| is_too_large |= declares_more(name, value, cap))?;
    if !is_too_large {
        return Ok(None);
    }
    let py = gate.py();
    Verdict::new(py, gate.clone().unbind(), PyBytes::new(py, b"").unbind(), Decision::too_large(cap), None).map(Some)
}

fn declares_more(name: &[u8], value: &[u8], cap: usize) -> bool {
    name.len() == 14
        && name.eq_ignore_ascii_case(b"content-length")
        && !value.is_empty()
        && value.iter().all(u8::is_ascii_digit)
        && std::str::from_utf8(value)
            .ok()
            .and_then(|digits| digits.parse().ok())
            .is_none_or(|length: usize| length > cap)
}

/// What the start of an answer asks for: the sum of PASS, HOLD, SESSION, CODED, JSON and STREAM.
#[pyfunction]
pub(super) fn answer_start(verdict: &Verdict, status: u16, headers: &Bound<'_, PyAny>) -> PyResult<u8> {
    let mut start = Start::default();
    each_line(headers, |name, value| start.line(name, value))?;
    let asked = asked(headers.py(), verdict);
    let kind = verdict.decision().facts.kind;
    let mut bits = match (start.content, kind) {
        (Content::Json, Some(MessageKind::Request)) => JSON,
        (Content::Stream, Some(MessageKind::Request | MessageKind::Stream)) => STREAM,
        _ => PASS,
    };
    if start.is_coded && bits != PASS {
        bits |= CODED;
    } else if bits == JSON && asked.status_depends(status) {
        bits |= HOLD;
    }
    if start.names_session && names_no_session(verdict.decision(), verdict.sessions()) {
        bits |= SESSION;
    }
    Ok(bits)
}

/// The same of an event of the application's; PASS for one that is no start.
#[pyfunction]
pub(super) fn answer_bits(verdict: &Verdict, event: &Bound<'_, PyAny>) -> PyResult<u8> {
    let py = event.py();
    let Ok(event) = event.cast::<PyDict>() else {
        return bits_of(verdict, event);
    };
    let kind = event.get_item(intern!(py, "type"))?;
    if !kind.is_some_and(|kind| kind.is(intern!(py, START)) || kind.eq(START).unwrap_or(false)) {
        return Ok(PASS);
    }
    let (Some(status), headers) = (event.get_item(intern!(py, "status"))?, event.get_item(intern!(py, "headers"))?)
    else {
        return Ok(PASS);
    };
    let headers = headers.unwrap_or_else(|| PyTuple::empty(py).into_any());
    answer_start(verdict, status.extract()?, &headers)
}

/// Of an event that is a mapping, but no dict.
#[cold]
fn bits_of(verdict: &Verdict, event: &Bound<'_, PyAny>) -> PyResult<u8> {
    if !event.get_item("type")?.eq(START)? {
        return Ok(PASS);
    }
    let headers = event.call_method1("get", ("headers", PyTuple::empty(event.py())))?;
    answer_start(verdict, event.get_item("status")?.extract()?, &headers)
}

/// The status of an answer that was to have the status sent and begins with head; None: head stops too early to tell.
#[pyfunction]
pub(super) fn answer_status(py: Python<'_>, verdict: &Verdict, sent: u16, head: &[u8]) -> Option<u16> {
    asked(py, verdict).status(sent, head)
}

/// Whether message is the answer to the verdict's request.
#[pyfunction]
pub(super) fn is_answer(py: Python<'_>, verdict: &Verdict, message: &[u8]) -> bool {
    asked(py, verdict).is_answered_by(message)
}

/// The session that message opens as the answer to the verdict's handshake; None where it opens none.
#[pyfunction]
pub(super) fn opened_session(py: Python<'_>, verdict: &Verdict, message: &[u8]) -> Option<Session> {
    let body = verdict.body(py);
    let revision = asked(py, verdict).settled_by(message)?;
    let session = core::Session::new(revision, verdict.decision().client(body)).ok()?;
    verdict.serves(revision).then(|| Session::of(session))
}

/// The answer to the verdict's request when its host fails.
#[pyfunction]
pub(super) fn failure(py: Python<'_>, verdict: &Verdict) -> PyResult<Reply> {
    Reply::of(py, &verdict.decision().failure(verdict.body(py)))
}

fn asked<'a>(py: Python<'a>, verdict: &'a Verdict) -> Asked<'a> {
    Asked::of(verdict.decision(), verdict.body(py))
}

/// Calls look with each line of headers as ASGI has them: an iterable of pairs of bytes.
fn each_line(headers: &Bound<'_, PyAny>, mut look: impl FnMut(&[u8], &[u8])) -> PyResult<()> {
    let mut line = |line: &Bound<'_, PyAny>| -> PyResult<()> {
        if let Ok(pair) = line.cast_exact::<PyTuple>()
            && let (Ok(name), Ok(value)) = (pair.get_borrowed_item(0), pair.get_borrowed_item(1))
            && let (Ok(name), Ok(value)) = (name.cast::<PyBytes>(), value.cast::<PyBytes>())
        {
            look(name.as_bytes(), value.as_bytes());
            return Ok(());
        }
        let (name, value) = (line.get_item(0)?, line.get_item(1)?);
        let (name, value): (Cow<'_, [u8]>, Cow<'_, [u8]>) = (name.extract()?, value.extract()?);
        look(&name, &value);
        Ok(())
    };
    if let Ok(list) = headers.cast_exact::<PyList>() {
        return list.iter().try_for_each(|one| line(&one));
    }
    if let Ok(tuple) = headers.cast_exact::<PyTuple>() {
        return tuple.iter_borrowed().try_for_each(|one| line(&one));
    }
    headers.try_iter()?.try_for_each(|one| line(&one?))
}
