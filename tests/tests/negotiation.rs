//! Which revision to speak: the handshake up to 2025-11-25, a version in every request since.

use mcp_wire::{ErrorObject, Revision, agree, negotiate, negotiate_request, proposal};
use serde_json::json;

/// The revisions with a handshake, and the latest one, which has none.
const SHAKING: &[Revision] =
    &[Revision::V2024_11_05, Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25];
const LATEST: Revision = Revision::LATEST;

/// All revisions without a handshake, among them the latest one.
fn stateless() -> Vec<Revision> {
    Revision::ALL.iter().filter(|revision| !SHAKING.contains(revision)).cloned().collect()
}

#[test]
fn the_client_proposes_a_version_it_supports() {
    for supported in [SHAKING, &SHAKING[..2], &SHAKING[3..]] {
        let proposed = proposal(supported).expect("a proposal");
        assert!(supported.contains(proposed));
    }
    assert_eq!(proposal(&[LATEST]), None, "there is nobody to propose to");
    assert_eq!(proposal(&[]), None);
}

#[test]
fn the_client_proposes_its_newest_version() {
    assert_eq!(proposal(Revision::ALL), Some(&Revision::V2025_11_25));
    assert_eq!(proposal(&[Revision::V2025_06_18, Revision::V2024_11_05]), Some(&Revision::V2025_06_18));
}

#[test]
fn a_supported_version_is_confirmed_unchanged() {
    for revision in SHAKING {
        assert_eq!(negotiate(revision, Revision::ALL).as_ref(), Ok(revision));
        assert_eq!(agree(revision, Revision::ALL).as_ref(), Ok(revision));
    }
}

#[test]
fn an_unsupported_version_is_answered_with_a_supported_one() {
    let supported = [Revision::V2024_11_05, Revision::V2025_03_26];
    for requested in ["2025-06-18", "2031-01-01", "1999-12-31", "", "latest", LATEST.as_str()] {
        let answer = negotiate(&requested.into(), &supported).expect("an answer");
        assert!(supported.contains(&answer), "{requested}");
    }
}

#[test]
fn the_counter_proposal_is_the_newest_supported_version() {
    let supported = [Revision::V2025_03_26, LATEST, Revision::V2024_11_05];
    for requested in ["2025-06-18", "2031-01-01", LATEST.as_str()] {
        assert_eq!(negotiate(&requested.into(), &supported), Ok(Revision::V2025_03_26), "{requested}");
    }
}

#[test]
fn a_choice_the_client_cannot_speak_ends_the_negotiation() {
    let supported = [Revision::V2025_11_25, LATEST];
    for answered in ["2024-11-05", "2031-01-01", LATEST.as_str(), ""] {
        let refusal = agree(&answered.into(), &supported).expect_err("a reason to disconnect");
        assert_eq!(refusal.requested.as_str(), answered);
        assert!(refusal.to_string().contains("2025-11-25"), "{refusal}");
        assert_eq!(refusal.supported, [Revision::V2025_11_25], "what the server could have chosen");
    }
}

#[test]
fn a_version_error_lists_supported_and_requested_versions() {
    // A server without any handshake cannot make a counter-proposal.
    let refusal = negotiate(&Revision::V2025_11_25, &[LATEST]).expect_err("an error");
    let error = ErrorObject::from(refusal);
    assert_eq!(error.code, -32602i64);
    assert_eq!(error.data, Some(json!({ "supported": [LATEST.as_str()], "requested": "2025-11-25" }).into()));
}

#[test]
fn an_unsupported_version_in_a_request_is_refused_with_its_own_code() {
    assert_eq!(negotiate_request(&LATEST, Revision::ALL), Ok(LATEST));
    for requested in ["2031-01-01", "2025-11-25", ""] {
        let refusal = negotiate_request(&requested.into(), Revision::ALL).expect_err("an error");
        let error = ErrorObject::from(refusal);
        assert_eq!(error.code().map(i64::from), Some(-32022));
        let supported: Vec<String> = stateless().into_iter().map(String::from).collect();
        assert_eq!(error.data, Some(json!({ "supported": supported, "requested": requested }).into()));
        // The revision has a type for this error, and what we write conforms to it.
        let response = json!({ "jsonrpc": "2.0", "id": 1, "error": error });
        let typed: mcp_wire_tests::stateless::UnsupportedProtocolVersionError =
            serde_json::from_value(response.clone()).expect("the error of that name");
        assert_eq!(typed.check(), []);
        assert_eq!(serde_json::to_value(typed).expect("JSON"), response);
    }
}

/// Whoever is told what is supported, and takes one of that, is not refused again: for every set of supported revisions.
#[test]
fn a_refused_request_is_offered_only_what_it_can_name() {
    let mut refusals = 0;
    for set in 0..1 << Revision::ALL.len() {
        let is_in = |(index, _): &(usize, &Revision)| set & (1 << index) != 0;
        let supported: Vec<Revision> =
            Revision::ALL.iter().enumerate().filter(is_in).map(|(_, revision)| revision.clone()).collect();
        for requested in Revision::ALL.iter().cloned().chain(["2031-01-01".into(), "".into()]) {
            let Err(refusal) = negotiate_request(&requested, &supported) else { continue };
            refusals += 1;
            for offered in &refusal.supported {
                assert_eq!(negotiate_request(offered, &supported).as_ref(), Ok(offered));
            }
            let offered: Vec<Revision> = stateless().into_iter().filter(|one| supported.contains(one)).collect();
            assert_eq!(refusal.supported, offered, "{supported:?}");
        }
    }
    // For each set a request for each revision and two others. One without a handshake succeeds with half of the sets.
    let (revisions, sets) = (Revision::ALL.len(), 1 << Revision::ALL.len());
    assert_eq!(refusals, sets * (revisions + 2) - stateless().len() * sets / 2);
}
