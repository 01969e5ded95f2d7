//! JSON that was checked, as Python objects; and Python objects as JSON.

use std::fmt::Write as _;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PySequence, PyString, PyTuple};

use super::errors::RevcapError;
use crate::json::{Cursor, Fault, Kind, Limits, Node, Span, push_string};

/// What a span of a checked text reads: None, bool, int of any size, float, str, list or dict.
///
/// A key that an object says twice has its last value, as with Python's own reader.
pub(super) fn value_of<'py>(py: Python<'py>, text: &[u8], span: Span) -> PyResult<Bound<'py, PyAny>> {
    let limits = Limits { max_depth: Limits::DEEPEST, max_number_chars: usize::MAX };
    read(py, &mut Cursor::resume(text, span.start as usize, 0, limits))
}

/// The same for a whole text.
pub(super) fn to_python<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    value_of(py, text, Span::new(0, text.len()))
}

/// The same for a whole text that is known to be an object.
pub(super) fn to_dict<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyDict>> {
    Ok(to_python(py, text)?.cast_into::<PyDict>()?)
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

/// Digits that Python spells under any limit: `sys.set_int_max_str_digits` takes 0, or 640 and more.
const DIGITS: usize = 640;

/// What a caller's object may be, and under which name its faults are told.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// The argument, as the messages call it.
    pub(super) name: &'a str,
    /// Containers inside one another.
    pub(super) max_depth: u32,
}

impl<'a> Source<'a> {
    /// An argument of this name.
    pub(super) const fn argument(name: &'a str) -> Self {
        Self { name, max_depth: Limits::DEFAULT.max_depth }
    }
}

/// The compact JSON text of a Python object.
///
/// Takes None, bool, int, float, str, list, tuple, dict and any other mapping, and subclasses of these by their value.
///
/// # Errors
///
/// `TypeError` for an object that JSON has no word for, and `RevcapError` for a value it has none for (NaN, an
/// infinity, a lone surrogate, nesting beyond the limit); both name the path.
pub(super) fn from_python(value: &Bound<'_, PyAny>, source: Source<'_>) -> PyResult<Vec<u8>> {
    let mut out = Vec::new();
    match write(value, &mut out, source.max_depth) {
        Ok(()) => Ok(out),
        Err(refusal) => Err(refusal.into_error(source.name)),
    }
}

/// The same of an argument that has to be a mapping.
pub(super) fn from_mapping(value: &Bound<'_, PyAny>, source: Source<'_>) -> PyResult<Vec<u8>> {
    if value.cast::<PyMapping>().is_err() {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{} must be a mapping, not {kind}", source.name)));
    }
    from_python(value, source)
}

/// One step of the way to a faulty value.
enum Step {
    Key(String),
    Index(usize),
}

enum Fate {
    Kind(String),
    Value(&'static str),
    Raised(PyErr),
}

/// Why a value was refused; the way to it grows as the writer unwinds.
struct Refusal {
    way: Vec<Step>,
    fate: Fate,
}

impl From<PyErr> for Refusal {
    fn from(error: PyErr) -> Self {
        Self { way: Vec::new(), fate: Fate::Raised(error) }
    }
}

impl Refusal {
    const fn new(fate: Fate) -> Self {
        Self { way: Vec::new(), fate }
    }

    fn below(mut self, step: Step) -> Self {
        self.way.push(step);
        self
    }

    #[cold]
    fn into_error(self, name: &str) -> PyErr {
        let mut path = name.to_owned();
        for step in self.way.iter().rev() {
            let _infallible = match step {
                Step::Index(index) => write!(path, "[{index}]"),
                Step::Key(key) if key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => write!(path, ".{key}"),
                Step::Key(key) => write!(path, "[{key:?}]"),
            };
        }
        match self.fate {
            Fate::Kind(kind) => PyTypeError::new_err(format!("{path}: {kind}")),
            Fate::Value(what) => RevcapError::new_err(format!("{path}: {what}")),
            Fate::Raised(error) => error,
        }
    }
}

type Written = Result<(), Refusal>;

fn write(value: &Bound<'_, PyAny>, out: &mut Vec<u8>, depth: u32) -> Written {
    if let Ok(text) = value.cast::<PyString>() {
        push_string(out, &text_of(text)?);
    } else if value.is_none() {
        out.extend_from_slice(b"null");
    } else if let Ok(flag) = value.cast::<PyBool>() {
        out.extend_from_slice(if flag.is_true() { b"true" } else { b"false" });
    } else if let Ok(number) = value.cast::<PyInt>() {
        write_integer(number, out)?;
    } else if let Ok(number) = value.cast::<PyFloat>() {
        write_float(number.value(), out)?;
    } else {
        return write_container(value, out, depth);
    }
    Ok(())
}

fn write_container(value: &Bound<'_, PyAny>, out: &mut Vec<u8>, depth: u32) -> Written {
    // Each container is written from a copy of its own: a mapping may run code that changes another one, and with
    // the GIL off another thread may.
    let members = if let Ok(dict) = value.cast_exact::<PyDict>() {
        Some(dict.items())
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        None
    } else if let Ok(mapping) = value.cast::<PyMapping>() {
        Some(mapping.items()?)
    } else {
        let kind = value.get_type().name().map_or_else(|_| String::from("object"), |name| name.to_string());
        return Err(Refusal::new(Fate::Kind(format!("{kind} has no place in JSON"))));
    };
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Refusal::new(Fate::Value("nesting too deep")));
    };
    match members {
        Some(members) => write_members(&members, out, depth),
        None => write_elements(&value.cast::<PySequence>().map_err(PyErr::from)?.to_tuple()?, out, depth),
    }
}

fn write_members(members: &Bound<'_, PyList>, out: &mut Vec<u8>, depth: u32) -> Written {
    out.push(b'{');
    for (index, member) in members.iter().enumerate() {
        let Ok((key, value)) = member.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() else {
            return Err(Refusal::new(Fate::Kind("items() of a mapping must give pairs".to_owned())));
        };
        if index > 0 {
            out.push(b',');
        }
        let Ok(key) = key.cast::<PyString>() else {
            let kind = key.get_type().name().map_or_else(|_| String::from("object"), |name| name.to_string());
            return Err(Refusal::new(Fate::Kind(format!("a key must be a str, not {kind}"))));
        };
        let key = text_of(key)?;
        push_string(out, &key);
        out.push(b':');
        write(&value, out, depth).map_err(|refusal| refusal.below(Step::Key(key)))?;
    }
    out.push(b'}');
    Ok(())
}

fn write_elements(elements: &Bound<'_, PyTuple>, out: &mut Vec<u8>, depth: u32) -> Written {
    out.push(b'[');
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(&element, out, depth).map_err(|refusal| refusal.below(Step::Index(index)))?;
    }
    out.push(b']');
    Ok(())
}

fn text_of(text: &Bound<'_, PyString>) -> Result<String, Refusal> {
    match text.to_str() {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Err(Refusal::new(Fate::Value("a lone surrogate is no Unicode text"))),
    }
}

fn write_float(value: f64, out: &mut Vec<u8>) -> Written {
    if !value.is_finite() {
        return Err(Refusal::new(Fate::Value("JSON has no NaN and no infinity")));
    }
    out.extend_from_slice(format!("{value:?}").as_bytes()); // the shortest spelling that reads back the same
    Ok(())
}

fn write_integer(value: &Bound<'_, PyInt>, out: &mut Vec<u8>) -> Written {
    if let Ok(small) = value.extract::<i64>() {
        out.extend_from_slice(small.to_string().as_bytes());
        return Ok(());
    }
    let py = value.py();
    let int = py.get_type::<PyInt>();
    let exact = int.call_method1("__pos__", (value,))?; // of a subclass, the number alone
    let negative = exact.lt(0)?;
    if negative {
        out.push(b'-');
    }
    let mut rest = exact.abs()?;
    let base = PyInt::new(py, 10).pow(DIGITS, py.None())?;
    let mut parts = Vec::new();
    while rest.is_truthy()? {
        let (quotient, part): (Bound<'_, PyAny>, Bound<'_, PyAny>) = rest.divmod(&base)?.extract()?;
        parts.push(part.str()?.to_string());
        rest = quotient;
    }
    for (index, part) in parts.iter().rev().enumerate() {
        let width = if index == 0 { 0 } else { DIGITS };
        out.extend_from_slice(format!("{part:0>width$}").as_bytes());
    }
    Ok(())
}
