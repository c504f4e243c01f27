//! Catalogue: the table of all rules.

use super::Rule;
use crate::diff::report::Severity;

/// Makes a constant of each row, and the list of them. A row has the name of the constant, id, mirror, severity, title,
/// reason.
macro_rules! catalogue {
    ($($rule:ident $id:literal <> $mirror:literal $severity:ident $title:literal: $reason:literal;)*) => {
        $(pub(super) const $rule: Rule =
            Rule { id: $id, title: $title, reason: $reason, severity: Severity::$severity, mirror: $mirror };)*

        /// Every rule, in the order of the documentation.
        pub const CATALOGUE: &[Rule] = &[$($rule),*];
    };
}

catalogue! {
    // Types.
    TYPE_ADDED              "type.added"              <> "type.removed"             Compatible "Type added":
        "What is new matters where it is used: as a member, an alternative, params or a result.";
    TYPE_REMOVED            "type.removed"            <> "type.added"               Compatible "Type removed":
        "What is gone matters where it was used: as a member, an alternative, params or a result.";
    TYPE_REDEFINED          "type.redefined"          <> "type.redefined"           Breaking   "Type redefined":
        "The name means something else now; code that goes by it has to change.";

    // Members.
    FIELD_ADDED_OPTIONAL    "field.added-optional"    <> "field.removed-optional"   Compatible "Optional member added":
        "Readers ignore members they do not know, and do not miss this one.";
    FIELD_REMOVED_OPTIONAL  "field.removed-optional"  <> "field.added-optional"     Compatible "Optional member removed":
        "Readers did not rely on it, and ignore it where it still arrives.";
    FIELD_ADDED_REQUIRED    "field.added-required"    <> "field.removed-required"   Breaking   "Required member added":
        "A writer that does not know the member leaves it out, and the reader misses it.";
    FIELD_REMOVED_REQUIRED  "field.removed-required"  <> "field.added-required"     Breaking   "Required member removed":
        "A reader that relies on the member misses it.";
    FIELD_BECAME_REQUIRED   "field.became-required"   <> "field.became-optional"    Breaking   "Member became required":
        "A writer may leave out what the reader now relies on.";
    FIELD_BECAME_OPTIONAL   "field.became-optional"   <> "field.became-required"    Breaking   "Member became optional":
        "A reader relies on what the writer may now leave out.";

    // Values.
    FIELD_TYPE_WIDENED      "field.type-widened"      <> "field.type-narrowed"      Breaking   "Type widened":
        "A reader does not expect the values that are new.";
    FIELD_TYPE_NARROWED     "field.type-narrowed"     <> "field.type-widened"       Breaking   "Type narrowed":
        "A reader no longer expects values that may still be written.";
    FIELD_TYPE_CHANGED      "field.type-changed"      <> "field.type-changed"       Breaking   "Type changed":
        "Neither side expects what the other one writes.";
    FIELD_NULL_ALLOWED      "field.null-allowed"      <> "field.null-forbidden"     Breaking   "Null allowed":
        "A reader does not expect `null`.";
    FIELD_NULL_FORBIDDEN    "field.null-forbidden"    <> "field.null-allowed"       Breaking   "Null forbidden":
        "A reader no longer expects the `null` that may still be written.";
    CONSTRAINT_TIGHTENED    "constraint.tightened"    <> "constraint.loosened"      Breaking   "Constraint tightened":
        "A reader that checks the limit refuses what may still be written.";
    CONSTRAINT_LOOSENED     "constraint.loosened"     <> "constraint.tightened"     Breaking   "Constraint loosened":
        "A reader that checks the old limit refuses what may be written now.";
    CONSTRAINT_CHANGED      "constraint.changed"      <> "constraint.changed"       Breaking   "Constraint changed":
        "Neither side keeps the limit that the other one checks.";
    CONST_CHANGED           "const.changed"           <> "const.changed"            Breaking   "Constant changed":
        "Each side expects a value that the other one never writes.";

    // Enums, objects, unions.
    ENUM_VALUE_ADDED        "enum.value-added"        <> "enum.value-removed"       Breaking   "Enum value added":
        "A reader does not know the value.";
    ENUM_VALUE_REMOVED      "enum.value-removed"      <> "enum.value-added"         Breaking   "Enum value removed":
        "A reader no longer knows a value that may still be written.";
    ENUM_OPENED             "enum.opened"             <> "enum.closed"              Breaking   "Enum opened":
        "A reader does not expect values that are not listed.";
    ENUM_CLOSED             "enum.closed"             <> "enum.opened"              Breaking   "Enum closed":
        "A reader no longer expects values that are not listed.";
    OBJECT_OPENED           "object.opened"           <> "object.closed"            Compatible "Object opened":
        "Readers ignore members they do not know.";
    OBJECT_CLOSED           "object.closed"           <> "object.opened"            Compatible "Object closed":
        "Readers ignore members they do not know, so one that is forbidden does no harm.";
    UNION_MEMBER_ADDED      "union.member-added"      <> "union.member-removed"     Breaking   "Alternative added":
        "A reader does not know the alternative.";
    UNION_MEMBER_REMOVED    "union.member-removed"    <> "union.member-added"       Breaking   "Alternative removed":
        "A reader no longer knows an alternative that may still be written.";
    UNVERIFIED_KEYWORD      "unverified.keyword"      <> "unverified.keyword"       Unverified "Keyword that cannot be compared":
        "What the keyword means to either side is not known, so that nobody can say whom the change hurts.";

    // Methods.
    METHOD_ADDED            "method.added"            <> "method.removed"           Breaking   "Method added":
        "A receiver that does not know a request answers with an error; an unknown notification is ignored.";
    METHOD_REMOVED          "method.removed"          <> "method.added"             Breaking   "Method removed":
        "A receiver that does not know a request answers with an error; an unknown notification is ignored.";
    METHOD_MOVED            "method.moved"            <> "method.moved"             Breaking   "Method moved":
        "A request that stands inside a result is no message of its own: the receiver of one does not know the other.";
    METHOD_DIRECTION        "method.direction-changed" <> "method.direction-changed" Breaking  "Direction changed":
        "A side receives a request that it does not expect; an unexpected notification is ignored.";
    METHOD_PARAMS           "method.params-changed"   <> "method.params-changed"    Breaking   "Params changed":
        "A receiver relies on params that the sender may leave out.";
    METHOD_RESULT           "method.result-changed"   <> "method.result-changed"    Breaking   "Result changed":
        "The sender of a request does not know a result that is new.";
    METHOD_GATE             "method.gate-changed"     <> "method.gate-changed"      Compatible "Capability of a method changed":
        "A sender that goes by the old rule may send the method to a receiver that does not expect it.";
    METHOD_PHASE            "method.phase-changed"    <> "method.phase-changed"     Compatible "Time of a method changed":
        "A sender that goes by the old rule may send the method too early or too late.";

    // Capabilities, error codes, batches.
    CAPABILITY_ADDED        "capability.added"        <> "capability.removed"       Breaking   "Capability added":
        "Who does not know it does not declare it, which hurts only those who have to find it.";
    CAPABILITY_REMOVED      "capability.removed"      <> "capability.added"         Breaking   "Capability removed":
        "Who still declares it is not understood, but refused only by those who have to find it.";
    CAPABILITY_MOVED        "capability.moved"        <> "capability.moved"         Breaking   "Capability moved":
        "Who looks for it in its old place does not find it.";
    ERROR_CODE_ADDED        "error-code.added"        <> "error-code.removed"       Compatible "Error code added":
        "Who does not know the code treats it as any other error.";
    ERROR_CODE_REMOVED      "error-code.removed"      <> "error-code.added"         Compatible "Error code removed":
        "Who still waits for the code does not get it.";
    ERROR_CODE_CHANGED      "error-code.changed"      <> "error-code.changed"       Compatible "Error code changed":
        "Who waits for the old number takes the error for another one.";
    BATCH_ADDED             "batch.added"             <> "batch.removed"            Breaking   "Batches added":
        "A receiver does not expect several messages in one array.";
    BATCH_REMOVED           "batch.removed"           <> "batch.added"              Breaking   "Batches removed":
        "A receiver no longer expects several messages in one array.";

    // Words.
    DEPRECATED_ADDED        "deprecated.added"        <> "deprecated.removed"       Notice     "Deprecated":
        "It still works, and may go in a later revision.";
    DEPRECATED_REMOVED      "deprecated.removed"      <> "deprecated.added"         Notice     "No longer deprecated":
        "It is here to stay.";
    DOCUMENTATION_CHANGED   "documentation.changed"   <> "documentation.changed"    Documentation "Documentation changed":
        "Words are not on the wire.";

    // The schema alone.
    TYPE_RENAMED            "refactor.type-renamed"   <> "refactor.type-renamed"    Refactor   "Type renamed":
        "Names of types are not on the wire.";
    TYPE_NAMED              "refactor.type-named"     <> "refactor.type-inlined"    Refactor   "Type named":
        "Where something is written down is not on the wire.";
    TYPE_INLINED            "refactor.type-inlined"   <> "refactor.type-named"      Refactor   "Type written out":
        "Where something is written down is not on the wire.";
    REFERENCE               "refactor.reference"      <> "refactor.reference"       Refactor   "Reference replaced":
        "Which of two equal definitions is referred to is not on the wire.";
    HELPER_ADDED            "refactor.helper-added"   <> "refactor.helper-removed"  Refactor   "Helper added":
        "Messages are what they were without it.";
    HELPER_REMOVED          "refactor.helper-removed" <> "refactor.helper-added"    Refactor   "Helper removed":
        "Messages stay what they were with it.";
    ENVELOPE_WRITTEN_OUT    "refactor.envelope-written-out" <> "refactor.envelope-implied" Refactor "Envelope written out":
        "Every message had the member already, by the envelope around it.";
    ENVELOPE_IMPLIED        "refactor.envelope-implied" <> "refactor.envelope-written-out" Refactor "Envelope implied":
        "Every message still has the member, by the envelope around it.";
    DIALECT                 "refactor.dialect"        <> "refactor.dialect"         Refactor   "Dialect changed":
        "The keyword that definitions stand under is not on the wire.";
    REWRITTEN               "refactor.rewritten"      <> "refactor.rewritten"       Refactor   "Written differently":
        "It accepts what it accepted.";
}
