// {{ c.header }}

//! Every definition of the schema by name, for tools that learn at run time which type to read.

use mcp_wire_core::__private::Entry;

/// The definitions, by the name the schema gives them.
pub static TYPES: &[Entry] = &[
{%- for (definition, name) in c.registry %}
    Entry::new::<crate::{{ name }}>({{ definition }}),
{%- endfor %}
];
