//! A request's headers, as ASGI servers and HTTP clients hold them.

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyMapping, PyString, PyTuple};

use crate::headers::{Field, Headers};

/// The lines that the gate reads, held while it reads them.
#[derive(Default)]
pub(super) struct Kept<'py> {
    first: [Option<Bound<'py, PyBytes>>; Field::NAMED],
    more: Vec<(Field, Bound<'py, PyBytes>, Bound<'py, PyBytes>)>,
}

impl<'py> Kept<'py> {
    /// From an iterable of (name, value) pairs of bytes, or an object with `.raw` or `.multi_items()`.
    pub(super) fn read(headers: &Bound<'py, PyAny>) -> PyResult<Self> {
        let mut kept = Self::default();
        if let Ok(list) = headers.cast_exact::<PyList>() {
            for line in list {
                kept.line(&line)?;
            }
            return Ok(kept);
        }
        let py = headers.py();
        if let Ok(tuple) = headers.cast_exact::<PyTuple>() {
            for line in tuple.iter_borrowed() {
                kept.line(&line)?;
            }
        } else if let Some(raw) = headers.getattr_opt(intern!(py, "raw"))? {
            return Self::read(&raw);
        } else if let Some(multi_items) = headers.getattr_opt(intern!(py, "multi_items"))? {
            return Self::read(&multi_items.call0()?);
        } else if headers.cast::<PyMapping>().is_ok() {
            return Err(hides_repeats());
        } else {
            for line in headers.try_iter().map_err(|_| not_pairs(headers))? {
                kept.line(&line?)?;
            }
        }
        Ok(kept)
    }

    #[inline]
    fn line(&mut self, line: &Bound<'py, PyAny>) -> PyResult<()> {
        if let Ok(pair) = line.cast_exact::<PyTuple>()
            && pair.len() == 2
        {
            let (name, value) = (pair.get_borrowed_item(0)?, pair.get_borrowed_item(1)?);
            if let (Ok(name), Ok(value)) = (name.cast_exact::<PyBytes>(), value.cast_exact::<PyBytes>()) {
                self.push(&name, &value);
                return Ok(());
            }
        }
        self.other_line(line)
    }

    #[inline]
    fn push(&mut self, name: &Bound<'py, PyBytes>, value: &Bound<'py, PyBytes>) {
        let Some(field) = Field::of(name.as_bytes()) else {
            return;
        };
        match self.first.get_mut(field as usize) {
            Some(first @ None) => *first = Some(value.clone()),
            _ => self.more.push((field, name.clone(), value.clone())),
        }
    }

    /// Any other pair: a list of two, or text as HTTP clients decode it.
    #[cold]
    fn other_line(&mut self, line: &Bound<'py, PyAny>) -> PyResult<()> {
        if line.is_instance_of::<PyString>() || line.is_instance_of::<PyBytes>() || line.len().ok() != Some(2) {
            return Err(not_pairs(line));
        }
        let (name, value) = (bytes(&line.get_item(0)?)?, bytes(&line.get_item(1)?)?);
        self.push(&name, &value);
        Ok(())
    }

    /// The lines, borrowed.
    pub(super) fn headers(&self) -> Headers<'_> {
        let mut headers =
            Headers::of(std::array::from_fn(|place| self.first.get(place)?.as_ref().map(PyBytesMethods::as_bytes)));
        for (field, name, value) in &self.more {
            headers.push(*field, name.as_bytes(), value.as_bytes());
        }
        headers
    }
}

/// Every line, name and value; from whatever [`Kept::read`] takes.
pub(super) struct Lines<'py>(Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>);

impl<'py> Lines<'py> {
    pub(super) fn read(headers: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = headers.py();
        if headers.is_none() {
            return Ok(Self(Vec::new()));
        }
        let is_plain = headers.is_instance_of::<PyList>() || headers.is_instance_of::<PyTuple>();
        if !is_plain {
            if let Some(raw) = headers.getattr_opt(intern!(py, "raw"))? {
                return Self::read(&raw);
            }
            if let Some(multi_items) = headers.getattr_opt(intern!(py, "multi_items"))? {
                return Self::read(&multi_items.call0()?);
            }
            if headers.cast::<PyMapping>().is_ok() {
                return Err(hides_repeats());
            }
        }
        let lines = headers.try_iter().map_err(|_| not_pairs(headers))?;
        let line = |line: PyResult<Bound<'py, PyAny>>| {
            let line = line?;
            if line.is_instance_of::<PyString>() || line.is_instance_of::<PyBytes>() || line.len().ok() != Some(2) {
                return Err(not_pairs(&line));
            }
            Ok((bytes(&line.get_item(0)?)?, bytes(&line.get_item(1)?)?))
        };
        lines.map(line).collect::<PyResult<_>>().map(Self)
    }

    /// The lines, borrowed.
    pub(super) fn pairs(&self) -> Vec<(&[u8], &[u8])> {
        self.0.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect()
    }
}

#[cold]
fn hides_repeats() -> PyErr {
    PyTypeError::new_err("headers: a mapping hides repeated lines; pass (name, value) pairs of bytes, as ASGI has them")
}

fn bytes<'py>(part: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = part.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let text = part.cast::<PyString>().map_err(|_| not_pairs(part))?;
    let encoded = text.call_method1(intern!(part.py(), "encode"), (intern!(part.py(), "latin-1"),));
    let encoded = encoded.or_else(|_| text.encode_utf8().map(Bound::into_any))?;
    Ok(encoded.cast_into::<PyBytes>()?)
}

fn not_pairs(found: &Bound<'_, PyAny>) -> PyErr {
    let kind = found.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("headers: expected (name, value) pairs of bytes, got {kind}"))
}
