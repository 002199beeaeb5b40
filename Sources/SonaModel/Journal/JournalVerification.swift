/// The result of `Journal.verify`.
package struct JournalVerification: Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        /// The line was changed after it was written: a field, its mac, or the line before it.
        case altered
        /// The line with this id does not exist.
        case missing
        /// There is a line with this id, or before the first line, that the journal never wrote.
        case unexpected
        case headMissing = "head_missing"
        /// The seal of the head is invalid.
        case headInvalid = "head_invalid"
        /// The head was sealed with another key, so nothing can be checked.
        case keyUnknown = "key_unknown"
        /// The anchor counts more lines than there are: an earlier state of the database was put back.
        case rolledBack = "rolled_back"
        /// The anchor has another mac for a line, or another beginning of the seal.
        case anchorDisagrees = "anchor_disagrees"
        /// The anchor is damaged, or another key sealed it.
        case anchorForeign = "anchor_foreign"
    }

    /// The number of valid lines, up to the fault if there is one.
    package let entries: Int64
    /// The first line that could be checked. Earlier lines are under a seal that was not continued (`journal_reset`). 1
    /// if the journal was never reset.
    package let checkedFrom: Int64
    /// The number of lines that the anchor counts. `nil` if there is no anchor.
    package let anchored: Int64?
    /// The id of the first faulty line. `nil` if there is no fault, or if it is not in a line.
    package let firstFault: Int64?
    /// `nil` if there is no fault.
    package let reason: Reason?
}
