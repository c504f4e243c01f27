//! JSON that is kept as text: the values that a schema leaves open, and the one reader that everything is read with.

mod decimal;
mod equal;
mod literal;
mod object;
mod reader;
mod scan;
mod syntax;
pub(crate) mod transcode;
mod value;

pub use literal::Literal;
pub use object::{Iter, JsonObject};
pub use reader::{Reader, Stop};
pub use syntax::SyntaxError;
pub use value::{Items, Json, JsonRef, Members, WriteError};

pub(crate) use decimal::Decimal;
pub(crate) use reader::{Purpose, compact};
pub(crate) use scan::{BLOCK, find_special, is_special, special_bits};
pub(crate) use syntax::Problem;
