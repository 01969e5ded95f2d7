//! The switches of a server that is made from scratch.

use super::implementation::Implementation;
use super::invalid::InvalidIdentity;
use super::{Member, SERVER, ServerIdentity};
use crate::json::{Cursor, Limits};
use crate::table::{Method, MethodSet, ServerFeature};

/// What a server has; `None` is as the capability it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Switches {
    /// It completes arguments.
    pub completions: bool,
    /// It sends log messages.
    pub logging: bool,
    /// It has prompts.
    pub prompts: bool,
    /// It tells when their list changes.
    pub prompts_list_changed: Option<bool>,
    /// It has resources.
    pub resources: bool,
    /// A client may watch one.
    pub resource_subscriptions: Option<bool>,
    /// It tells when their list changes.
    pub resources_list_changed: Option<bool>,
    /// It has tools.
    pub tools: bool,
    /// It tells when their list changes.
    pub tools_list_changed: Option<bool>,
    /// It runs requests as tasks, as a capability of the core.
    pub tasks: bool,
    /// The same as an extension; `None`: as `tasks`.
    pub tasks_extension: Option<bool>,
    /// It lists tasks (core).
    pub tasks_list: Option<bool>,
    /// It cancels them (core).
    pub tasks_cancel: Option<bool>,
    /// A tool call may be a task (core).
    pub tasks_tools_call: Option<bool>,
    /// Published and asked; neither; `None`: not published, asked where the client declared it.
    pub elicitation: Option<bool>,
    /// It handles listen streams.
    pub subscriptions_listen: bool,
    /// A JSON object of objects: non-standard capabilities. Empty: not published.
    pub experimental: Option<Box<[u8]>>,
    /// A JSON object from extension identifier to settings. Empty: not published. The tasks extension follows its
    /// switch; here are its settings.
    pub extensions: Option<Box<[u8]>>,
}

impl Default for Switches {
    /// Everything on, elicitation asked without being published.
    fn default() -> Self {
        Self {
            completions: true,
            logging: true,
            prompts: true,
            prompts_list_changed: None,
            resources: true,
            resource_subscriptions: None,
            resources_list_changed: None,
            tools: true,
            tools_list_changed: None,
            tasks: true,
            tasks_extension: None,
            tasks_list: None,
            tasks_cancel: None,
            tasks_tools_call: None,
            elicitation: None,
            subscriptions_listen: true,
            experimental: None,
            extensions: None,
        }
    }
}

impl Switches {
    fn features(&self) -> Result<ServerFeature, InvalidIdentity> {
        use ServerFeature as S;
        let mut on = S::empty();
        for (flag, given) in [
            (S::COMPLETIONS, self.completions),
            (S::LOGGING, self.logging),
            (S::PROMPTS, self.prompts),
            (S::RESOURCES, self.resources),
            (S::TOOLS, self.tools),
            (S::TASKS, self.tasks),
            (S::TASKS_EXTENSION, self.tasks_extension.unwrap_or(self.tasks)),
            (S::ELICITATION, self.elicitation == Some(true)),
        ] {
            on.set(flag, given);
        }
        for (flag, given, switch, capability, name) in [
            (S::PROMPTS_LIST_CHANGED, self.prompts_list_changed, "prompts_list_changed", S::PROMPTS, "prompts"),
            (S::RESOURCES_SUBSCRIBE, self.resource_subscriptions, "resource_subscriptions", S::RESOURCES, "resources"),
            (
                S::RESOURCES_LIST_CHANGED,
                self.resources_list_changed,
                "resources_list_changed",
                S::RESOURCES,
                "resources",
            ),
            (S::TOOLS_LIST_CHANGED, self.tools_list_changed, "tools_list_changed", S::TOOLS, "tools"),
            (S::TASKS_LIST, self.tasks_list, "tasks_list", S::TASKS, "tasks"),
            (S::TASKS_CANCEL, self.tasks_cancel, "tasks_cancel", S::TASKS, "tasks"),
            (S::TASKS_TOOLS_CALL, self.tasks_tools_call, "tasks_tools_call", S::TASKS, "tasks"),
        ] {
            let has = on.contains(capability);
            if given == Some(true) && !has {
                return Err(InvalidIdentity::WithoutCapability { switch, capability: name });
            }
            on.set(flag, given.unwrap_or(has));
        }
        Ok(on)
    }
}

impl ServerIdentity {
    /// A server with these switches.
    ///
    /// # Errors
    ///
    /// A switch is on whose capability is off; an extension identifier or the value of an entry is not what it has to
    /// be.
    pub fn new(implementation: Implementation, switches: &Switches) -> Result<Self, InvalidIdentity> {
        let mut on = switches.features()?;
        let mut members = Vec::new();
        for (text, flag, name) in [
            (&switches.experimental, ServerFeature::EXPERIMENTAL, "experimental"),
            (&switches.extensions, ServerFeature::EXTENSIONS, "extensions"),
        ] {
            let mut entries = read_entries(text.as_deref().unwrap_or(b"{}"), flag, name)?;
            let is_on = on.contains(ServerFeature::TASKS_EXTENSION);
            entries.retain(|entry| !entry.is_tasks_extension() || is_on && entry.value.as_ref() != b"{}");
            let tasks = flag == ServerFeature::EXTENSIONS && is_on;
            on.set(flag, !entries.is_empty() || tasks);
            members.extend(entries);
        }
        let absent = if switches.subscriptions_listen {
            MethodSet::default()
        } else {
            MethodSet::default().with(Method::SubscriptionsListen)
        };
        Ok(Self { implementation, instructions: None, on, elicitation: switches.elicitation, absent, members })
    }
}

/// The entries of an open map, each an object.
fn read_entries(text: &[u8], flag: ServerFeature, name: &str) -> Result<Vec<Member>, InvalidIdentity> {
    let parent = SERVER.rows().find(|(_, row)| row.feature() == flag).map(|(place, _)| place);
    let mut cursor = Cursor::new(text, Limits::default())?;
    if cursor.peek() != Some(b'{') {
        return Err(InvalidIdentity::NotAnObject(name.to_owned()));
    }
    let mut entries = Vec::new();
    let mut members = cursor.open_object()?;
    while let Some(key) = cursor.next_member(&mut members)? {
        let key = String::from_utf8_lossy(&key.name(text)).into_owned();
        let node = cursor.value()?;
        if flag == ServerFeature::EXTENSIONS && !is_extension_identifier(&key) {
            return Err(InvalidIdentity::ExtensionIdentifier(key));
        }
        if !node.is_object() {
            let key: String = key.chars().take(64).collect();
            return Err(InvalidIdentity::NotAnObject(format!("{name}[{key:?}]")));
        }
        entries.push(Member { parent, key: key.into(), value: node.token(text).into() });
    }
    cursor.end()?;
    if cursor.saw_duplicate() {
        return Err(InvalidIdentity::DuplicateKey);
    }
    Ok(entries)
}

/// Labels joined by dots, a slash, and a name that may be empty.
///
/// Spec: 2026-07-28 basic/index, `_meta` key names; SEP-2133, where the prefix is mandatory.
fn is_extension_identifier(key: &str) -> bool {
    let Some((prefix, name)) = key.split_once('/') else { return false };
    let label = |label: &str| {
        let label = label.as_bytes();
        label.first().is_some_and(u8::is_ascii_alphabetic)
            && label.last().is_some_and(u8::is_ascii_alphanumeric)
            && label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    let name = name.as_bytes();
    let ends = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_alphanumeric);
    prefix.split('.').all(label)
        && ends(name.first())
        && ends(name.last())
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_identifier_is_labels_a_slash_and_a_name() {
        for good in ["com.example/search", "a/b", "io.modelcontextprotocol/tasks", "a-1.b2/x_y.z-9", "com.example/"] {
            assert!(is_extension_identifier(good), "{good}");
        }
        for bad in [
            "",
            "search",
            "/search",
            "com..example/x",
            "1a/x",
            "a-/x",
            "-a/x",
            "a/-x",
            "a/x-",
            "a/x y",
            "a/é",
            "a/b/c",
            "a./x",
            "é/x",
        ] {
            assert!(!is_extension_identifier(bad), "{bad}");
        }
    }

    #[test]
    fn a_switch_without_its_capability_is_named() {
        let fail =
            |switches: Switches| ServerIdentity::new(Implementation::new("n", "1"), &switches).unwrap_err().to_string();
        let text = fail(Switches { prompts: false, prompts_list_changed: Some(true), ..Switches::default() });
        assert!(text.starts_with("prompts_list_changed is on while prompts is off"), "{text}");
        let text = fail(Switches { tasks: false, tasks_cancel: Some(true), ..Switches::default() });
        assert!(text.starts_with("tasks_cancel is on while tasks is off"), "{text}");
        let text = fail(Switches { extensions: Some(br#"{"nodot":{}}"#.as_slice().into()), ..Switches::default() });
        assert!(text.contains("\"nodot\""), "{text}");
        let text = fail(Switches { extensions: Some(br#"{"a/b":true}"#.as_slice().into()), ..Switches::default() });
        assert!(text.starts_with("extensions[\"a/b\"] must be an object"), "{text}");
        let text = fail(Switches { experimental: Some(br"[]".as_slice().into()), ..Switches::default() });
        assert!(text.starts_with("experimental must be an object"), "{text}");
    }
}
