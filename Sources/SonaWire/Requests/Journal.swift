/// `journal.list`: lines of the journal, newest first.
///
/// Source: Protocol/spec/permissions.md, "journal.list".
public struct JournalList: WireRequest {
    public typealias Response = JournalPage
    public static let type = "journal.list"
    public static let permission: Permission? = .journalRead

    /// Only lines of a smaller `id`: `nextBefore` of the page before.
    public var before: Int64?
    /// 1 to 200.
    public var limit: Int
    /// Only lines of this kind, a word of 1 to 64 bytes.
    public var kind: String?
    /// Only lines whose subject is this user.
    public var user: UserReference?

    public init(
        before: Int64? = nil, limit: Int = Limits.journalPageCountDefault, kind: String? = nil,
        user: UserReference? = nil
    ) {
        self.before = before
        self.limit = limit
        self.kind = kind
        self.user = user
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        before = try fields.integerIfPresent("before", in: 1...Limits.integerMax)
        limit =
            try fields.integerIfPresent("limit", in: Limits.journalPageCount).map { Int($0) }
            ?? Limits.journalPageCountDefault
        kind = try fields.lineIfPresent("kind", bytes: Limits.journalKindBytes)
        user = try fields.userIfPresent()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("before", ifPresent: before)
            writer.member("limit", limit)
            writer.member("kind", ifPresent: kind)
            writer.member("user", ifPresent: user?.text)
        }
    }
}

/// The answer to `journal.list`.
public struct JournalPage: WireObject, Equatable {
    public var entries: [JournalLine]
    /// What to ask with as `before` for the next page; `nil` on the last.
    public var nextBefore: Int64?

    public init(entries: [JournalLine], nextBefore: Int64?) {
        self.entries = entries
        self.nextBefore = nextBefore
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        entries = try fields.array("entries", of: JournalLine.self)
        nextBefore = try fields.integerIfPresent("next_before", in: 1...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("entries", entries)
            writer.member("next_before", orNull: nextBefore)
        }
    }
}

/// `journal.verify`: whether the journal still says what was written into it.
///
/// Source: Protocol/spec/permissions.md, "journal.verify".
public struct JournalVerify: FieldlessRequest {
    public typealias Response = JournalVerification
    public static let type = "journal.verify"
    public static let permission: Permission? = .journalRead

    public init() {}
}

/// The answer to `journal.verify`.
public struct JournalVerification: WireObject, Equatable {
    /// How many lines were looked at.
    public var entryCount: Int64
    public var isIntact: Bool
    /// The `id` of the first line that is not as it was written, if one can be named.
    public var firstFault: Int64?
    /// What is wrong, a word such as `altered`: one line of at most 512 bytes.
    public var reason: String?

    public init(entryCount: Int64, isIntact: Bool, firstFault: Int64? = nil, reason: String? = nil) {
        self.entryCount = entryCount
        self.isIntact = isIntact
        self.firstFault = firstFault
        self.reason = reason
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        entryCount = try fields.integer("entries", in: 0...Limits.integerMax)
        isIntact = try fields.bool("intact")
        firstFault = try fields.integerIfPresent("first_fault", in: 1...Limits.integerMax)
        reason = try fields.lineIfPresent("reason", bytes: Limits.errorMessageBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("entries", entryCount)
            writer.member("intact", isIntact)
            writer.member("first_fault", orNull: firstFault)
            writer.member("reason", orNull: reason)
        }
    }
}
