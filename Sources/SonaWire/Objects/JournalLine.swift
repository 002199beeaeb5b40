/// One line of the journal: who did what to whom, and when.
///
/// Source: Protocol/spec/permissions.md, "The journal".
public struct JournalLine: WireObject, Equatable {
    /// Counts the lines from 1.
    public var id: Int64
    /// Milliseconds since 1970, UTC.
    public var atMilliseconds: Int64
    /// What happened: a word of 1 to 64 bytes, such as `role_changed`; new ones may come.
    public var kind: String
    /// Who did it, as a rule a `uid`: one line of 1 to 128 bytes. `nil` for the server and its operator.
    ///
    /// Not a `UserID`: an admin should see the line, too, if somebody has altered it.
    public var actor: String?
    /// The user or room it was done to, in the same form.
    public var subject: String?
    /// An object, with fields that depend on `kind`.
    public var detail: JSON

    public init(
        id: Int64, atMilliseconds: Int64, kind: String, actor: String?, subject: String?,
        detail: JSON = .emptyObject
    ) {
        self.id = id
        self.atMilliseconds = atMilliseconds
        self.kind = kind
        self.actor = actor
        self.subject = subject
        self.detail = detail
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        id = try fields.integer("id", in: 1...Limits.integerMax)
        atMilliseconds = try fields.integer("at_ms", in: 0...Limits.integerMax)
        kind = try fields.line("kind", bytes: Limits.journalKindBytes)
        actor = try fields.lineIfPresent("actor", bytes: Limits.journalPartyBytes)
        subject = try fields.lineIfPresent("subject", bytes: Limits.journalPartyBytes)
        detail = try fields.anyObject("detail")
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("at_ms", atMilliseconds)
            writer.member("kind", kind)
            writer.member("actor", orNull: actor)
            writer.member("subject", orNull: subject)
            writer.key("detail")
            detail.encode(into: &writer)
        }
    }
}
