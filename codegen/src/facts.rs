//! What the schemas lost, read from `schema/facts.toml` and proved against the schema it is applied to.

mod complete;
mod prove;
mod spans;
pub(crate) mod tasks;

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::load::Schema;
use crate::model::Role;
pub(crate) use prove::methods;
pub(crate) use spans::{Entry, line};
pub use tasks::Task;

/// The tables of `facts.toml`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Facts {
    /// String members whose known values the schema does not list.
    pub open_enum: Vec<OpenEnum>,
    /// Values that constructors write, and that absence stands for.
    pub initial: Vec<Initial>,
    /// Enums whose values have an order.
    pub order: Vec<Order>,
    /// Required members that are absent in practice.
    pub lenient: Vec<Lenient>,
    /// Codes of JSON-RPC errors.
    pub error_code: Vec<ErrorCode>,
    /// What new code should not use.
    pub deprecated: Vec<Deprecated>,
    /// Results and capabilities of methods.
    pub method: Vec<Method>,
    /// Results that are fetched later.
    pub deferred: Vec<Deferred>,
    /// What needs a finer capability than the method around it.
    pub gate: Vec<Gate>,
    /// For each revision, the entries that nobody has confirmed for it.
    pub unconfirmed: BTreeMap<String, Vec<String>>,
    /// What a person has to find out.
    pub task: Vec<Task>,
}

/// Calls a macro with the names of all tables of facts.
macro_rules! each_table {
    ($then:ident) => {
        $then!(open_enum, initial, order, lenient, error_code, deprecated, method, deferred, gate)
    };
}
pub(crate) use each_table;

/// Declares the entries of the tables: the keys of each, and those that every entry has.
macro_rules! entries {
    ($(
        $(#[$about:meta])*
        $name:ident { $($(#[$attribute:meta])* $key:ident: $type:ty,)* }
    )*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$attribute])* pub $key: $type,)*
            /// The first revision it holds for, if that is not the first there is.
            pub since: Option<String>,
            /// The last revision it holds for, if it holds no longer.
            pub until: Option<String>,
            /// How it is known.
            pub source: String,
        }
    )*};
}

entries! {
    /// Known values of a string member.
    OpenEnum {
        /// Name of the enum.
        name: String,
        /// `Definition.member` or `*.member`.
        members: Vec<String>,
        /// The values.
        values: Vec<String>,
    }

    /// The value a constructor writes into a required member.
    Initial {
        /// `Definition.member` or `*.member`; the last entry that matches wins.
        members: Vec<String>,
        /// The value.
        value: String,
    }

    /// The order of an enum's values.
    Order {
        /// The enum.
        #[serde(rename = "enum")]
        name: String,
        /// All values, lowest first.
        values: Vec<String>,
    }

    /// Required members that are absent in practice.
    Lenient {
        /// `Definition.member`.
        members: Vec<String>,
    }

    /// A code of JSON-RPC errors.
    ErrorCode {
        /// Name of the constant.
        name: String,
        /// The code, where the schema does not say it.
        code: Option<i64>,
        /// What it means.
        doc: String,
        /// The side that sends it, where only one does.
        sent_by: Option<Role>,
    }

    /// What new code should not use.
    Deprecated {
        /// `Definition` or `Definition.member`.
        items: Vec<String>,
        /// What to use instead.
        note: String,
    }

    /// What a method is answered with and gated by.
    Method {
        /// The method.
        method: String,
        /// The result of a request, where the schema does not say it.
        result: Option<String>,
        /// Other results of the request, where the schema does not say them.
        #[serde(default)]
        also: Vec<String>,
        /// What the server must have declared.
        server_capability: Option<String>,
        /// What the client must have declared.
        client_capability: Option<String>,
        /// When it may be called, where that is not "once the connection is open".
        phase: Option<Phase>,
    }

    /// A result that stands for another, which is fetched later.
    Deferred {
        /// The result that is given instead.
        result: String,
        /// The members that lead to the key in it.
        key: Vec<String>,
        /// The method that fetches the real result.
        method: String,
        /// The member of its params that holds the key.
        param: String,
    }

    /// What is used only where a finer capability has been declared than the one that its method needs.
    Gate {
        /// `Definition` or `Definition.member`.
        items: Vec<String>,
        /// What the server must have declared.
        server_capability: Option<String>,
        /// What the client must have declared.
        client_capability: Option<String>,
    }
}

/// When a method may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It opens the connection: alone, before all others, never cancelled.
    Handshake,
    /// At any time.
    Any,
}

impl Facts {
    /// The facts about one revision.
    pub fn about(&self, revision: &str) -> Self {
        fn keep<T: Entry + Clone>(entries: &[T], revision: &str) -> Vec<T> {
            entries.iter().filter(|entry| entry.holds_for(revision)).cloned().collect()
        }
        macro_rules! about {
            ($($table:ident),*) => {
                Self {
                    $($table: keep(&self.$table, revision),)*
                    unconfirmed: self.unconfirmed.clone(),
                    task: self.task.iter().filter(|task| task.revision == revision).cloned().collect(),
                }
            };
        }
        each_table!(about)
    }

    /// The facts with other names for some definitions.
    pub fn renamed(mut self, names: &BTreeMap<String, String>) -> Self {
        let rename = |item: &mut String| {
            let (owner, member) = match item.split_once('.') {
                Some((owner, member)) => (owner, Some(member)),
                None => (item.as_str(), None),
            };
            if let Some(name) = names.get(owner) {
                *item = member.map_or_else(|| name.clone(), |member| format!("{name}.{member}"));
            }
        };
        self.open_enum.iter_mut().for_each(|entry| {
            rename(&mut entry.name);
            entry.members.iter_mut().for_each(rename);
        });
        self.initial.iter_mut().flat_map(|entry| &mut entry.members).for_each(rename);
        self.order.iter_mut().map(|entry| &mut entry.name).for_each(rename);
        self.lenient.iter_mut().flat_map(|entry| &mut entry.members).for_each(rename);
        self.deprecated.iter_mut().flat_map(|entry| &mut entry.items).for_each(rename);
        self.method.iter_mut().flat_map(|entry| entry.result.iter_mut().chain(&mut entry.also)).for_each(rename);
        self.deferred.iter_mut().map(|entry| &mut entry.result).for_each(rename);
        self.gate.iter_mut().flat_map(|entry| &mut entry.items).for_each(rename);
        self
    }

    /// The definitions that the facts name.
    pub fn definitions(&self) -> impl Iterator<Item = &str> {
        let items = self.items().chain(self.order.iter().map(|entry| &entry.name));
        let items = items.chain(self.method.iter().flat_map(Method::results));
        let owners = items.map(|item| item.split_once('.').map_or(item.as_str(), |(owner, _)| owner));
        owners.filter(|owner| *owner != "*")
    }

    /// What the facts name as `Definition`, `Definition.member` or `*.member`.
    fn items(&self) -> impl Iterator<Item = &String> {
        let members = self.initial.iter().flat_map(|entry| &entry.members);
        let members = members.chain(self.lenient.iter().flat_map(|entry| &entry.members));
        let members = members.chain(self.open_enum.iter().flat_map(|entry| &entry.members));
        let items = members.chain(self.deprecated.iter().flat_map(|entry| &entry.items));
        items.chain(self.gate.iter().flat_map(|entry| &entry.items))
    }

    /// The facts about methods without results that a schema does not have: the rest of what is known of a method holds
    /// without them.
    pub fn without_lost_results(mut self, schema: &Schema) -> Self {
        for entry in &mut self.method {
            entry.also.retain(|name| schema.definitions().contains_key(name));
            if entry.result.take_if(|name| !schema.definitions().contains_key(name)).is_some() && !entry.also.is_empty()
            {
                entry.result = Some(entry.also.remove(0));
            }
        }
        self
    }
}

/// The values of an entry that may hold in part, by their keys.
pub(crate) type Parts = Vec<(&'static str, Option<Vec<String>>)>;

macro_rules! parts {
    ($($name:ty: $($list:ident)*;)*) => {$(
        impl $name {
            /// What [`Facts::where_applicable`] may have left out.
            pub(crate) fn parts(&self) -> Parts {
                vec![$((stringify!($list), Some(self.$list.clone()))),*]
            }
        }
    )*};
}
parts! {
    OpenEnum: members;
    Initial: members;
    Order: ;
    Lenient: members;
    Deprecated: items;
    Deferred: ;
    Gate: items;
}

impl Method {
    /// What [`Facts::where_applicable`] may have left out.
    pub(crate) fn parts(&self) -> Parts {
        let one = |path: &Option<String>| path.clone().map(|path| vec![path]);
        vec![
            ("result", one(&self.result)),
            ("also", Some(self.also.clone())),
            ("server_capability", one(&self.server_capability)),
            ("client_capability", one(&self.client_capability)),
        ]
    }

    fn results(&self) -> impl Iterator<Item = &String> {
        self.result.iter().chain(&self.also)
    }
}

impl ErrorCode {
    /// What [`Facts::without_stated`] may have left out.
    pub(crate) fn parts(&self) -> Parts {
        if self.code.is_some() { Vec::new() } else { vec![("code", None)] }
    }
}

/// Whether a list of `Definition.member` or `*.member` patterns names this member.
pub fn names_member(patterns: &[String], definition: &str, member: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.split_once('.') {
        Some((owner, name)) => name == member && (owner == "*" || owner == definition),
        None => false,
    })
}
