/// What `Journal.verify` found.
package struct JournalVerification: Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        /// The line is not as it was written: a field, its mac, or what stood before it.
        case altered
        /// There is no line with this id.
        case missing
        /// A line with this id, or one in front of the first, was never written.
        case unexpected
        case headMissing = "head_missing"
        /// The head is not as it was sealed.
        case headInvalid = "head_invalid"
        /// The head was sealed with another key: nothing can be told.
        case keyUnknown = "key_unknown"
        /// The anchor knows more lines than there are: an earlier state of the database was put back.
        case rolledBack = "rolled_back"
        /// The anchor knows other lines than there are.
        case anchorDisagrees = "anchor_disagrees"
        /// The anchor is damaged, or of another key.
        case anchorForeign = "anchor_foreign"
    }

    /// Lines read, up to the fault if there is one.
    package let entries: Int64
    /// The first line that could be checked; those before are under a seal that was not carried on (`journal_reset`).
    /// 1 for a journal that is whole.
    package let checkedFrom: Int64
    /// Lines that the anchor vouches for; `nil` if there is none.
    package let anchored: Int64?
    /// The first line at fault; `nil` if none is, and for faults that have no place.
    package let firstFault: Int64?
    /// `nil` if nothing was found.
    package let reason: Reason?
}
