//! Facts in, the same facts with what the schema says itself out, and the other way round.

use super::{ErrorCode, Facts, Method};
use crate::load::Schema;
use crate::stated::{self, Answers};

impl Facts {
    /// The facts with what the schema says itself about answers and error codes.
    pub fn completed(mut self, schema: &Schema) -> Self {
        let mut answers = stated::answers(schema);
        for entry in &mut self.method {
            let Some(answers) = answers.remove(&entry.method) else { continue };
            entry.also.retain(|name| !answers.complete && *name != answers.result);
            entry.also.extend(answers.also);
            entry.result = Some(answers.result);
        }
        self.method.extend(answers.into_iter().map(|(method, answers)| Method::stated(method, answers)));
        let codes = stated::error_codes(schema);
        for entry in &mut self.error_code {
            let code = codes.iter().find(|code| code.name == entry.name);
            entry.code = code.map(|code| code.code).or(entry.code);
        }
        let is_new = |code: &stated::Code| !self.error_code.iter().any(|entry| entry.name == code.name);
        let new: Vec<ErrorCode> = codes.into_iter().filter(is_new).map(ErrorCode::stated).collect();
        self.error_code.extend(new);
        self
    }

    /// The facts without what the schema says itself. The number of an error may stay, for other revisions may need it.
    pub(crate) fn without_stated(mut self, schema: &Schema) -> Self {
        let answers = stated::answers(schema);
        for entry in &mut self.method {
            let Some(answers) = answers.get(&entry.method) else { continue };
            entry.result = None;
            entry.also.retain(|name| !answers.complete && *name != answers.result);
        }
        let codes = stated::error_codes(schema);
        for entry in &mut self.error_code {
            entry.code.take_if(|known| codes.iter().any(|code| code.name == entry.name && code.code != *known));
        }
        self
    }

    /// A fact that repeats or contradicts what the schema says itself, or one that lacks what it does not say. The same
    /// number of an error is no repetition.
    pub(super) fn repeats(&self, schema: &Schema) -> Option<(&'static str, String)> {
        let answers = stated::answers(schema);
        for entry in &self.method {
            let Some(answers) = answers.get(&entry.method) else { continue };
            let is_repeated = entry.result.is_some() || answers.complete && !entry.also.is_empty();
            if is_repeated || entry.also.contains(&answers.result) {
                let told = format!("`{}` says that {} answers `{}`", answers.by, answers.told(), entry.method);
                return Some(("method", format!("{told}: no fact is needed, and none can say another thing")));
            }
        }
        let codes = stated::error_codes(schema);
        for entry in &self.error_code {
            match (codes.iter().find(|code| code.name == entry.name), entry.code) {
                // Other revisions may need the number.
                (Some(code), Some(known)) if code.code == known => {}
                (Some(code), Some(_)) => {
                    let told = format!("`{}` says that {} is {}", code.by, code.name, code.code);
                    return Some(("error_code", format!("{told}: no fact can say another thing")));
                }
                (None, None) => return Some(("error_code", format!("no definition has the code of {}", entry.name))),
                _ => {}
            }
        }
        None
    }
}

impl Method {
    fn stated(method: String, answers: Answers) -> Self {
        let Answers { result, also, by, .. } = answers;
        Self {
            method,
            result: Some(result),
            also,
            server_capability: None,
            client_capability: None,
            phase: None,
            since: None,
            until: None,
            source: by,
        }
    }
}

impl ErrorCode {
    fn stated(code: stated::Code) -> Self {
        let doc = format!("The code of `{}`.", code.by);
        let (name, code, source) = (code.name, Some(code.code), code.by);
        Self { name, code, doc, sent_by: None, since: None, until: None, source }
    }
}
