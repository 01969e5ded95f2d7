//! A request's headers, as ASGI servers and HTTP clients hold them.

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyList, PyMapping, PyString, PyTuple};

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
        if let Ok(tuple) = headers.cast_exact::<PyTuple>() {
            for line in tuple.iter_borrowed() {
                kept.one_line(&line)?;
            }
        } else {
            for line in lines_of(headers)? {
                kept.one_line(&line?)?;
            }
        }
        Ok(kept)
    }

    /// As [`Kept::line`], out of the way.
    #[inline(never)]
    fn one_line(&mut self, line: &Bound<'py, PyAny>) -> PyResult<()> {
        self.line(line)
    }

    #[inline(always)]
    #[allow(clippy::inline_always)] // a call would cost a third of what it does
    fn line(&mut self, line: &Bound<'py, PyAny>) -> PyResult<()> {
        if let Ok(pair) = line.cast_exact::<PyTuple>()
            && self.plain_line(pair)
        {
            return Ok(());
        }
        self.other_line(line)
    }

    /// Takes a pair of bytes; `false`: it is none.
    #[cfg(not(feature = "abi3"))]
    #[inline(always)]
    #[allow(clippy::inline_always)] // as above
    fn plain_line(&mut self, pair: &Bound<'py, PyTuple>) -> bool {
        let [name, value] = pair.as_slice() else { return false };
        let (Ok(name), Ok(value)) = (name.cast_exact::<PyBytes>(), value.cast_exact::<PyBytes>()) else {
            return false;
        };
        self.push(name, value);
        true
    }

    /// The same through calls: the stable interface shows no tuple's inside.
    #[cfg(feature = "abi3")]
    fn plain_line(&mut self, pair: &Bound<'py, PyTuple>) -> bool {
        if pair.len() != 2 {
            return false;
        }
        let (Ok(name), Ok(value)) = (pair.get_borrowed_item(0), pair.get_borrowed_item(1)) else { return false };
        let (Ok(name), Ok(value)) = (name.cast_exact::<PyBytes>(), value.cast_exact::<PyBytes>()) else {
            return false;
        };
        self.push(&name, &value);
        true
    }

    #[inline(always)]
    #[allow(clippy::inline_always)] // a call would cost half of what it does
    fn push(&mut self, name: &Bound<'py, PyBytes>, value: &Bound<'py, PyBytes>) {
        let Some(field) = Field::of(name.as_bytes()) else {
            return;
        };
        match self.first.get_mut(field as usize) {
            Some(first @ None) => *first = Some(value.clone()),
            _ => self.push_again(field, name, value),
        }
    }

    /// A line of a field that has one, or of a family of names.
    #[cold]
    fn push_again(&mut self, field: Field, name: &Bound<'py, PyBytes>, value: &Bound<'py, PyBytes>) {
        self.more.push((field, name.clone(), value.clone()));
    }

    /// Any other pair: a list of two, or text as HTTP clients decode it.
    #[cold]
    fn other_line(&mut self, line: &Bound<'py, PyAny>) -> PyResult<()> {
        let (name, value) = pair(line)?;
        self.push(&name, &value);
        Ok(())
    }

    /// The lines, borrowed.
    pub(super) fn headers(&self) -> Headers<'_> {
        let mut headers = Headers::of(|place| self.first.get(place)?.as_ref().map(PyBytesMethods::as_bytes));
        for (field, name, value) in &self.more {
            headers.push(*field, name.as_bytes(), value.as_bytes());
        }
        headers
    }
}

/// Every line, name and value; from whatever [`Kept::read`] takes.
pub(super) struct Lines<'py>(Vec<Pair<'py>>);

impl<'py> Lines<'py> {
    pub(super) fn read(headers: &Bound<'py, PyAny>) -> PyResult<Self> {
        if headers.is_none() {
            return Ok(Self(Vec::new()));
        }
        lines_of(headers)?.map(|line| pair(&line?)).collect::<PyResult<_>>().map(Self)
    }

    /// The lines, borrowed.
    pub(super) fn pairs(&self) -> Vec<(&[u8], &[u8])> {
        self.0.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect()
    }
}

/// Lines as Python has them: pairs of bytes.
pub(super) fn tuple<'py, 'l>(
    py: Python<'py>,
    lines: impl Iterator<Item = (&'l str, &'l [u8])>,
) -> PyResult<Bound<'py, PyTuple>> {
    let lines = lines.map(|(name, value)| (PyBytes::new(py, name.as_bytes()), PyBytes::new(py, value)));
    PyTuple::new(py, lines.collect::<Vec<_>>())
}

/// What look says of a line that is a tuple of two bytes, as ASGI has them; None: it is none.
#[cfg(not(feature = "abi3"))]
#[inline]
pub(super) fn with_pair<'py, T>(
    line: &Bound<'py, PyAny>,
    look: impl FnOnce(&Bound<'py, PyBytes>, &Bound<'py, PyBytes>) -> T,
) -> Option<T> {
    let [name, value] = line.cast_exact::<PyTuple>().ok()?.as_slice() else { return None };
    Some(look(name.cast_exact::<PyBytes>().ok()?, value.cast_exact::<PyBytes>().ok()?))
}

/// The same through calls: the stable interface shows no tuple's inside.
#[cfg(feature = "abi3")]
pub(super) fn with_pair<'py, T>(
    line: &Bound<'py, PyAny>,
    look: impl FnOnce(&Bound<'py, PyBytes>, &Bound<'py, PyBytes>) -> T,
) -> Option<T> {
    let pair = line.cast_exact::<PyTuple>().ok().filter(|pair| pair.len() == 2)?;
    let (name, value) = (pair.get_borrowed_item(0).ok()?, pair.get_borrowed_item(1).ok()?);
    let (name, value) = (name.cast_exact::<PyBytes>().ok()?, value.cast_exact::<PyBytes>().ok()?);
    Some(look(&name, &value))
}

/// The lines of an iterable, or those of an object that has them. These are not asked for others in turn: what answers
/// to every name would never end.
fn lines_of<'py>(headers: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    let py = headers.py();
    let is_plain = headers.is_instance_of::<PyList>() || headers.is_instance_of::<PyTuple>();
    let lines = if is_plain {
        headers.clone()
    } else if let Some(raw) = headers.getattr_opt(intern!(py, "raw"))? {
        raw
    } else if let Some(multi_items) = headers.getattr_opt(intern!(py, "multi_items"))? {
        multi_items.call0()?
    } else {
        headers.clone()
    };
    if lines.cast::<PyMapping>().is_ok() {
        return Err(PyTypeError::new_err(
            "headers: a mapping hides repeated lines; pass (name, value) pairs of bytes, as ASGI has them",
        ));
    }
    lines.try_iter().map_err(|_| not_pairs(&lines))
}

type Pair<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// A line that is a tuple or a list of two, bytes or text as HTTP clients decode it.
fn pair<'py>(line: &Bound<'py, PyAny>) -> PyResult<Pair<'py>> {
    let is_pair = line.is_instance_of::<PyTuple>() || line.is_instance_of::<PyList>();
    if !is_pair || line.len()? != 2 {
        return Err(not_pairs(line));
    }
    Ok((bytes(&line.get_item(0)?)?, bytes(&line.get_item(1)?)?))
}

fn bytes<'py>(part: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = part.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let text = part.cast::<PyString>().map_err(|_| not_pairs(part))?;
    // Servers decode lines as Latin-1, or as UTF-8 with a surrogate for each byte that is none; and a request never
    // raises, whatever its text holds.
    let encode = part.py().get_type::<PyString>().getattr(intern!(part.py(), "encode"))?;
    let encoded = encode
        .call1((text, "latin-1"))
        .or_else(|_| encode.call1((text, "utf-8", "surrogateescape")))
        .or_else(|_| encode.call1((text, "utf-8", "surrogatepass")))?;
    Ok(encoded.cast_into::<PyBytes>()?)
}

fn not_pairs(found: &Bound<'_, PyAny>) -> PyErr {
    let kind = found.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("headers: expected (name, value) pairs of bytes, got {kind}"))
}
