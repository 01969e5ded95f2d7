//! What takes the place of a message that cannot be delivered.

use crate::capabilities::smallest;
use crate::json::{ObjectWriter, push_string};
use crate::table::{ClientFeature, Code, Era, Origin};

/// An answer that shaping gives instead of the backend's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Error {
        code: Code,
        message: String,
        /// A JSON text.
        data: Option<Vec<u8>>,
    },
    /// A JSON object.
    Result(Vec<u8>),
}

impl Answer {
    #[cold]
    pub(super) fn error(code: Code, message: impl Into<String>) -> Self {
        Self::Error { code, message: message.into(), data: None }
    }

    /// The call needs what the client has not declared.
    ///
    /// Spec: 2026-07-28 basic/index, missing required client capability.
    #[cold]
    pub(super) fn missing(lacking: ClientFeature, declared: ClientFeature) -> Self {
        let mut data = b"{\"requiredCapabilities\":".to_vec();
        data.extend(smallest(lacking, declared));
        data.push(b'}');
        Self::Error {
            code: Code::MissingRequiredClientCapability,
            message: String::from("Missing required client capability"),
            data: Some(data),
        }
    }

    /// The HTTP status that goes with it; a handler would have answered so.
    pub(super) const fn status(&self, era: Era) -> u16 {
        match self {
            Self::Error { code, .. } => code.http_status(era, Origin::Handler),
            Self::Result(_) => 200,
        }
    }

    /// The whole message; `id` is a JSON text.
    pub(super) fn message(&self, id: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(128);
        let mut message = ObjectWriter::open(&mut out);
        message.string(&mut out, "jsonrpc", "2.0");
        message.member(&mut out, "id", id);
        match self {
            Self::Error { code, message: words, data } => {
                message.key(&mut out, "error");
                let mut error = ObjectWriter::open(&mut out);
                error.member(&mut out, "code", code.number().to_string().as_bytes());
                error.string(&mut out, "message", words);
                if let Some(data) = data {
                    error.member(&mut out, "data", data);
                }
                error.close(&mut out);
            }
            Self::Result(result) => message.member(&mut out, "result", result),
        }
        message.close(&mut out);
        out
    }
}

/// An url elicitation for each entry, as a request for input.
pub(super) fn url_elicitations(method: &str, entries: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut out = b"{\"resultType\":\"input_required\",\"inputRequests\":".to_vec();
    let mut requests = ObjectWriter::open(&mut out);
    for (index, (message, url)) in entries.iter().enumerate() {
        requests.key(&mut out, &format!("elicitation-{index}"));
        out.extend_from_slice(b"{\"method\":");
        push_string(&mut out, method);
        out.extend_from_slice(b",\"params\":{\"mode\":\"url\",\"message\":");
        out.extend_from_slice(message);
        out.extend_from_slice(b",\"url\":");
        out.extend_from_slice(url);
        out.extend_from_slice(b"}}");
    }
    requests.close(&mut out);
    out.push(b'}');
    out
}
