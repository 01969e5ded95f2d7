//! What `revcap.asgi` does for nearly every request: hand it on as it came, and its answer back as it comes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use super::gate::Gate;
use super::relay::{HOLD, JSON, PASS, STREAM, answer_bits, asked, is_plain};
use super::verdict::Verdict;

const REQUEST: &str = "http.request";

/// The front of one middleware, whose gate keeps no sessions itself.
///
/// Args:
///     gate: Judges.
///     ready: An asynchronous function that returns its argument.
///     held: An asynchronous function that does nothing: what sending does while a start waits for its body.
///     both: An asynchronous function that sends two events.
///     take_over: Called with a relay's send, its verdict and the start that it holds or None; returns an object with
///         send and flush that takes the rest of an answer that asks for more than to pass.
#[pyclass(frozen, module = "revcap._core")]
pub(super) struct Front {
    gate: Py<Gate>,
    ready: Py<PyAny>,
    held: Py<PyAny>,
    both: Py<PyAny>,
    take_over: Py<PyAny>,
}

#[pymethods]
impl Front {
    #[new]
    const fn new(gate: Py<Gate>, ready: Py<PyAny>, held: Py<PyAny>, both: Py<PyAny>, take_over: Py<PyAny>) -> Self {
        Self { gate, ready, held, both, take_over }
    }

    /// Judges a request, and puts the verdict into the scope's state.
    ///
    /// Args:
    ///     scope: The request's.
    ///     event: The first that the server gave, or an empty one for a request without a body.
    ///     receive: The server's own.
    ///     send: The server's own.
    ///
    /// Returns:
    ///     A Relay where the event goes on as it came; the Verdict where more has to be done; None where the event is not
    ///     all of the body, and nothing was judged.
    fn judge<'py>(
        slf: &Bound<'py, Self>,
        scope: &Bound<'py, PyAny>,
        event: &Bound<'py, PyAny>,
        receive: &Bound<'py, PyAny>,
        send: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = slf.py();
        if !is_whole(event)? {
            return Ok(None);
        }
        let headers = scope.get_item(intern!(py, "headers"))?;
        let http_method = scope.get_item(intern!(py, "method"))?;
        let body = item(event, intern!(py, "body"))?.unwrap_or_else(|| PyBytes::new(py, b"").into_any());
        let gate = slf.get().gate.bind(py);
        let verdict = Gate::admit(gate, &body, &headers, Some(http_method.cast::<PyString>()?), None, None, None)?;
        let is_plain = is_plain(py, &verdict);
        let verdict = Bound::new(py, verdict)?;
        state_of(scope)?.set_item(intern!(py, "revcap"), &verdict)?;
        if !is_plain {
            return Ok(Some(verdict.into_any()));
        }
        let relay = Relay {
            front: slf.clone().unbind(),
            verdict: verdict.unbind(),
            event: Mutex::new(Some(event.clone().unbind())),
            receive: receive.clone().unbind(),
            send: send.clone().unbind(),
            answer: Mutex::new(Answer::Passes),
        };
        Ok(Some(Bound::new(py, relay)?.into_any()))
    }
}

/// One request that goes on as it came, and its answer.
#[pyclass(frozen, module = "revcap._core")]
pub(super) struct Relay {
    front: Py<Front>,
    verdict: Py<Verdict>,
    /// The request's event, until the application has it.
    event: Mutex<Option<Py<PyAny>>>,
    receive: Py<PyAny>,
    send: Py<PyAny>,
    answer: Mutex<Answer>,
}

/// What becomes of the next event of the answer.
enum Answer {
    Passes,
    /// This start, with this status, goes before it when the body tells which it is to be.
    Waits(Py<PyAny>, u16),
    /// Another object takes it.
    TakenOver(Py<PyAny>),
}

#[pymethods]
impl Relay {
    /// The request's event, then whatever else the server says.
    fn receive<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let event = lock(&self.event).take();
        match event {
            Some(event) => self.front.get().ready.bind(py).call1((event,)),
            None => self.receive.bind(py).call0(),
        }
    }

    /// Takes an event of the application's.
    fn send<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = event.py();
        match self.next(py) {
            Answer::Passes => self.pass(event),
            Answer::Waits(start, sent) => self.settle(start.bind(py), sent, event),
            Answer::TakenOver(other) => other.bind(py).call_method1(intern!(py, "send"), (event,)),
        }
    }

    /// What has something left to flush when the application has ended; mostly None.
    fn left<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.next(py) {
            Answer::Passes => Ok(None),
            Answer::Waits(start, _) => self.other(Some(start.bind(py)), py).map(Some),
            Answer::TakenOver(other) => Ok(Some(other.into_bound(py))),
        }
    }

    // An application may keep what it was given where the server's own objects keep it, too. Whatever else is part of
    // such a cycle can be cleared.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.receive)?;
        visit.call(&self.send)?;
        if let Ok(event) = self.event.try_lock() {
            visit.call(&*event)?;
        }
        match self.answer.try_lock().as_deref() {
            Ok(Answer::Waits(held, _) | Answer::TakenOver(held)) => visit.call(held),
            Ok(Answer::Passes) | Err(_) => Ok(()),
        }
    }
}

impl Relay {
    /// What becomes of the next event. Nothing is called while the lock is held.
    fn next(&self, py: Python<'_>) -> Answer {
        let mut answer = lock(&self.answer);
        match &*answer {
            Answer::TakenOver(other) => Answer::TakenOver(other.clone_ref(py)),
            _ => std::mem::replace(&mut *answer, Answer::Passes),
        }
    }

    fn pass<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        const START: u8 = HOLD | JSON;
        let py = event.py();
        match answer_bits(self.verdict.get(), event)? {
            PASS | JSON | STREAM => self.send.bind(py).call1((event,)),
            START => {
                let sent = event.get_item(intern!(py, "status"))?.extract()?;
                *lock(&self.answer) = Answer::Waits(event.clone().unbind(), sent);
                self.front.get().held.bind(py).call0()
            }
            _ => {
                let other = self.hand_over(self.other(None, py)?);
                other.call_method1(intern!(py, "send"), (event,))
            }
        }
    }

    /// Sends a start that waits and the event after it, where that tells the status.
    fn settle<'py>(
        &self,
        start: &Bound<'py, PyAny>,
        sent: u16,
        event: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = event.py();
        let Some(status) = self.told(sent, event)? else {
            let other = self.hand_over(self.other(Some(start), py)?);
            return other.call_method1(intern!(py, "send"), (event,));
        };
        let both = self.front.get().both.bind(py);
        if status == sent {
            return both.call1((&self.send, start, event));
        }
        let changed = PyDict::new(py);
        changed.update(start.cast()?)?;
        changed.set_item(intern!(py, "status"), status)?;
        both.call1((&self.send, changed, event))
    }

    /// The status that a body tells; None: it is in pieces, is none, or does not tell.
    fn told(&self, sent: u16, event: &Bound<'_, PyAny>) -> PyResult<Option<u16>> {
        let py = event.py();
        let Some(body) = item(event, intern!(py, "body"))? else { return Ok(None) };
        let Ok(body) = body.cast_exact::<PyBytes>() else { return Ok(None) };
        Ok(asked(py, self.verdict.get()).status(sent, body.as_bytes()))
    }

    /// What takes the rest of an answer that asks for more than to pass.
    fn other<'py>(&self, start: Option<&Bound<'py, PyAny>>, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.front.get().take_over.bind(py).call1((&self.send, &self.verdict, start))
    }

    fn hand_over<'py>(&self, other: Bound<'py, PyAny>) -> Bound<'py, PyAny> {
        *lock(&self.answer) = Answer::TakenOver(other.clone().unbind());
        other
    }
}

/// Whether nothing comes after this event of a request.
fn is_whole(event: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = event.py();
    if let Some(more) = item(event, intern!(py, "more_body"))?
        && more.is_truthy()?
    {
        return Ok(false);
    }
    let Some(kind) = item(event, intern!(py, "type"))? else { return Ok(true) };
    Ok(kind.is(intern!(py, REQUEST)) || kind.eq(REQUEST)?)
}

/// A value of a mapping.
fn item<'py>(mapping: &Bound<'py, PyAny>, name: &Bound<'py, PyString>) -> PyResult<Option<Bound<'py, PyAny>>> {
    match mapping.cast::<PyDict>() {
        Ok(dict) => dict.get_item(name),
        Err(_) => Ok(Some(mapping.call_method1("get", (name,))?).filter(|value| !value.is_none())),
    }
}

fn state_of<'py>(scope: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = scope.py();
    if let Ok(dict) = scope.cast::<PyDict>()
        && let Some(state) = dict.get_item(intern!(py, "state"))?
    {
        return Ok(state);
    }
    scope.call_method1("setdefault", (intern!(py, "state"), PyDict::new(py)))
}

/// A thread that panicked with the lock left a whole value behind it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
