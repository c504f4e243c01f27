//! An outer limit: the hand-written structs, read and written by sonic-rs, with its `Value` for open JSON. It is built
//! for the same processor as everybody, so that it uses no instructions that not every x86-64 processor has.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sonic_rs::Value;

use super::Work;
use super::structs::{
    Bare, Call, CallMeta, Called, Contents, Elicitation, Failure, Notification, OpenRequest, OpenResponse, OpenText,
    Progress, Request, Resources, Response, Structured, Tools,
};
use crate::{Order, Subject};

/// What sonic-rs does with a message.
pub fn work(subject: Subject, order: Order) -> Option<Work> {
    let text = subject.text(order);
    match subject {
        Subject::Ping => of::<Bare>(text),
        Subject::Call => of::<Request<Call<Value>>>(text),
        Subject::CallMeta => of::<Request<CallMeta<Value>>>(text),
        Subject::CallVendor => of::<OpenRequest<Call<Value>>>(text),
        Subject::Progress => of::<Notification<Progress>>(text),
        Subject::Form => of::<Request<Elicitation>>(text),
        Subject::Small | Subject::Source | Subject::Text => of::<Response<Called>>(text),
        Subject::SmallVendor => of::<OpenResponse<Called>>(text),
        Subject::Error => of::<Failure<Value>>(text),
        Subject::List => of::<Response<Tools<Value>>>(text),
        Subject::Resources => of::<Response<Resources>>(text),
        Subject::Unknown => of::<Response<Called<OpenText>>>(text),
        Subject::Structured | Subject::Huge => of::<Response<Structured<Value>>>(text),
        Subject::Chinese => super::work(
            text,
            |text| sonic_rs::from_slice::<Response<Called>>(text.as_bytes()),
            |_| true,
            |message| sonic_rs::to_string(message).unwrap_or_default(),
        ),
        Subject::Blob => of::<Response<Contents>>(text),
        Subject::Unasked => of::<Response<Value>>(text),
        Subject::Batch => of::<Vec<Request<Call<Value>>>>(text),
        Subject::ProxyCall | Subject::ProxyList | Subject::Exchange | Subject::Session => None,
    }
}

fn of<M: Serialize + DeserializeOwned + 'static>(text: String) -> Option<Work> {
    super::work(
        text,
        |text| sonic_rs::from_str::<M>(text),
        |_| true,
        |message| sonic_rs::to_string(message).unwrap_or_default(),
    )
}
