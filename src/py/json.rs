//! JSON that was checked, as Python objects.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

use super::errors::RevcapError;
use crate::json::{Cursor, Fault, Kind, Limits, Node, Span};

/// What a span of a checked text reads: None, bool, int of any size, float, str, list or dict.
///
/// A key that an object says twice has its last value, as with Python's own reader.
pub(super) fn value_of<'py>(py: Python<'py>, text: &[u8], span: Span) -> PyResult<Bound<'py, PyAny>> {
    let limits = Limits { max_depth: Limits::DEEPEST, max_number_chars: usize::MAX };
    read(py, &mut Cursor::resume(text, span.start as usize, 0, limits))
}

fn read<'py>(py: Python<'py>, cursor: &mut Cursor<'_>) -> PyResult<Bound<'py, PyAny>> {
    match cursor.peek() {
        Some(b'{') => {
            let dict = PyDict::new(py);
            let mut members = cursor.open_object().map_err(unread)?;
            while let Some(key) = cursor.next_unchecked_member(&mut members).map_err(unread)? {
                let name = string(py, &key.name(cursor.text()));
                dict.set_item(name, read(py, cursor)?)?;
            }
            Ok(dict.into_any())
        }
        Some(b'[') => {
            let list = PyList::empty(py);
            let mut elements = cursor.open_array().map_err(unread)?;
            while cursor.next_element(&mut elements).map_err(unread)? {
                list.append(read(py, cursor)?)?;
            }
            Ok(list.into_any())
        }
        _ => {
            let node = cursor.value().map_err(unread)?;
            scalar(py, cursor.text(), node)
        }
    }
}

fn scalar<'py>(py: Python<'py>, text: &[u8], node: Node) -> PyResult<Bound<'py, PyAny>> {
    let token = node.token(text);
    Ok(match node.kind() {
        Kind::True => PyBool::new(py, true).to_owned().into_any(),
        Kind::False => PyBool::new(py, false).to_owned().into_any(),
        Kind::Integer => integer(py, token)?,
        // `-0` reads as Python reads it.
        Kind::Number if token == b"-0" => 0_i64.into_pyobject(py)?.into_any(),
        Kind::Number => {
            let number = std::str::from_utf8(token).ok().and_then(|token| token.parse().ok());
            PyFloat::new(py, number.unwrap_or(f64::NAN)).into_any()
        }
        Kind::String | Kind::EscapedString => string(py, &node.text(text).unwrap_or_default()).into_any(),
        _ => py.None().into_bound(py),
    })
}

fn string<'py>(py: Python<'py>, text: &[u8]) -> Bound<'py, PyString> {
    PyString::new(py, &String::from_utf8_lossy(text))
}

/// An integer of any number of digits, whatever limit Python's own reader of decimal strings is set to.
pub(super) fn integer<'py>(py: Python<'py>, token: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let text = std::str::from_utf8(token).unwrap_or_default();
    if let Ok(number) = text.parse::<i64>() {
        return Ok(number.into_pyobject(py)?.into_any());
    }
    let (is_negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let number = magnitude(py, digits)?;
    if is_negative { number.neg() } else { Ok(number) }
}

/// Halves joined by a power of ten: far fewer steps than digit by digit.
fn magnitude<'py>(py: Python<'py>, digits: &str) -> PyResult<Bound<'py, PyAny>> {
    const AT_ONCE: usize = 18;
    if digits.len() <= AT_ONCE {
        return Ok(digits.parse::<u64>().unwrap_or_default().into_pyobject(py)?.into_any());
    }
    let (high, low) = digits.split_at(digits.len() / 2);
    let power = PyInt::new(py, 10).pow(low.len(), py.None())?;
    magnitude(py, high)?.mul(power)?.add(magnitude(py, low)?)
}

fn unread(fault: Fault) -> PyErr {
    RevcapError::new_err(format!("not JSON: {fault}"))
}
