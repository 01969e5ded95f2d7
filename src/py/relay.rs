//! What stands between the gate and an application, for `revcap.asgi`.

use std::borrow::Cow;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use super::gate::Gate;
use super::headers::with_pair;
use super::reply::Reply;
use super::session::Session;
use super::verdict::Verdict;
use crate::gate::{Decision, MessageKind};
use crate::relay::{Asked, Care, Content, Start, names_no_session};
use crate::session as core;

const START: &str = "http.response.start";

/// Nothing has to be done about an answer.
pub(super) const PASS: u8 = 0;
/// Its status depends on its body.
pub(super) const HOLD: u8 = 1;
/// It names a session where there is none.
const SESSION: u8 = 1 << 1;
/// Its body is coded, and cannot be read.
const CODED: u8 = 1 << 2;
/// It is one JSON text, and answers a request.
pub(super) const JSON: u8 = 1 << 3;
/// It is an event stream that a client asked for.
pub(super) const STREAM: u8 = 1 << 4;

/// What the verdict asks of a host, as the bits of `Care`.
#[pyfunction]
pub(super) fn care(verdict: &Verdict) -> u8 {
    Care::of(verdict.decision(), verdict.sessions()).bits()
}

/// Whether the body goes on as it is, as one message, and only its answer may ask for something: nearly every request.
pub(super) fn is_plain(py: Python<'_>, verdict: &Verdict) -> bool {
    let decision = verdict.decision();
    (Care::of(decision, verdict.sessions()) - Care::ANSWER).is_empty() && decision.hands_on_all_of(verdict.body(py))
}

/// The verdict on a body that is too long by its own declaration, or None: it may be read.
#[pyfunction]
pub(super) fn declared_too_large(gate: &Bound<'_, Gate>, headers: &Bound<'_, PyAny>) -> PyResult<Option<Verdict>> {
    let cap = gate.get().core().policy().max_body_bytes;
    let mut is_too_large = false;
    each_line(headers, is_length, |_, value| is_too_large |= declares_more(value, cap))?;
    if !is_too_large {
        return Ok(None);
    }
    let py = gate.py();
    Verdict::new(py, gate.clone().unbind(), PyBytes::new(py, b"").unbind(), Decision::too_large(cap), None).map(Some)
}

fn is_length(name: &[u8]) -> bool {
    name.len() == 14 && name.eq_ignore_ascii_case(b"content-length")
}

fn declares_more(value: &[u8], cap: usize) -> bool {
    !value.is_empty()
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
    each_line(headers, Start::reads, |name, value| start.line(name, value))?;
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
    if !kind.is_some_and(|kind| is_start(&kind)) {
        return Ok(PASS);
    }
    let (Some(status), headers) = (event.get_item(intern!(py, "status"))?, event.get_item(intern!(py, "headers"))?)
    else {
        return Ok(PASS);
    };
    let Some(headers) = headers else {
        return answer_start(verdict, status.extract()?, PyTuple::empty(py).as_any());
    };
    if headers.is_instance_of::<PyList>() || headers.is_instance_of::<PyTuple>() {
        return answer_start(verdict, status.extract()?, &headers);
    }
    // What can be read once only is read here: the event goes on with a list.
    let listed = PyList::new(py, headers.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
    event.set_item(intern!(py, "headers"), &listed)?;
    answer_start(verdict, status.extract()?, &listed)
}

fn is_start(kind: &Bound<'_, PyAny>) -> bool {
    kind.is(intern!(kind.py(), START))
        || kind.cast::<PyString>().is_ok_and(|kind| kind.to_str().is_ok_and(|kind| kind == START))
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

pub(super) fn asked<'a>(py: Python<'a>, verdict: &'a Verdict) -> Asked<'a> {
    Asked::of(verdict.decision(), verdict.body(py))
}

/// Calls look with each line of headers, as ASGI has them (an iterable of pairs of bytes), whose name is wanted.
fn each_line(
    headers: &Bound<'_, PyAny>,
    wants: impl Fn(&[u8]) -> bool,
    mut look: impl FnMut(&[u8], &[u8]),
) -> PyResult<()> {
    let mut line = |line: &Bound<'_, PyAny>| -> PyResult<()> {
        let read = with_pair(line, |name, value| {
            if wants(name.as_bytes()) {
                look(name.as_bytes(), value.as_bytes());
            }
        });
        if read.is_some() {
            return Ok(());
        }
        let (name, value) = (line.get_item(0)?, line.get_item(1)?);
        let (name, value): (Cow<'_, [u8]>, Cow<'_, [u8]>) = (name.extract()?, value.extract()?);
        if wants(&name) {
            look(&name, &value);
        }
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
