//! The revisions, for tests that need the types of each. No other list of them is written by hand.

/// Calls a macro with what it is given and the modules of all revisions in the facade, the oldest first.
#[macro_export]
macro_rules! revisions {
    ([$($then:tt)*] $($given:tt)*) => {
        $($then)*! { $($given)* v2024_11_05 v2025_03_26 v2025_06_18 v2025_11_25 v2026_07_28 }
    };
    ($then:ident $($given:tt)*) => { $crate::revisions! { [$then] $($given)* } };
}

/// The first revision without a handshake. What is special about such a revision is tested with its types.
#[allow(unused_imports, reason = "some tests need the list alone")]
pub use mcp_wire::v2026_07_28 as stateless;
