extension Catalogue {
    /// Reports of what should not be there, and their inbox.
    ///
    /// Source: Protocol/spec/reports.md.
    static let reports = Area(
        "reports", requests: [ReportSend.self, FeedbackSend.self, ReportsList.self, ReportsResolve.self])
}

extension Limits {
    /// Bytes of the word for what a report is about.
    public static let reportKindBytes = 1...64
    /// Bytes of what somebody writes to a report.
    public static let reportTextBytes = 0...1_000
    /// Bytes of what was reported, as it was then.
    public static let reportQuoteBytes = 0...4_000
    /// Bytes of what an administrator notes of the decision.
    public static let reportNoteBytes = 0...200
    /// Reports in one page.
    public static let reportPageCount: ClosedRange<Int64> = 1...100
    /// Reports in one page if the request says nothing.
    public static let reportPageCountDefault = 20
    /// Reports that may be open at a time, of one person and on the server.
    public static let reportsOpenOfOneMax = 20
    public static let reportsOpenMax = 10_000
    /// The name of the feature in the welcome.
    public static let reportsFeature = "reports"
    /// The feature that announces feedback.
    public static let feedbackFeature = "feedback"
    /// The kind of reports that are feedback.
    public static let feedbackKind = "feedback"
    /// Bytes of feedback.
    public static let feedbackTextBytes = 1...1_000
    /// Feedback of one person that may be open at a time.
    public static let feedbackOpenOfOneMax = 10
}

// MARK: - Objects

/// A report: somebody says that something should not be there.
///
/// Source: Protocol/spec/reports.md, "Report".
public struct Report: DeclaredObject, Hashable {
    /// 1, 2, 3 and so on.
    public var id: Int64
    /// Milliseconds since 1970, UTC.
    public var atMilliseconds: Int64
    /// Why: a word of an open list, such as `spam`, `abuse`, `rights`, `illegal` or `other`.
    public var kind: String
    /// The room that is meant, or that the message is in.
    public var room: RoomID?
    /// The message of the room's chat that is meant.
    public var message: Int64?
    /// The user that is meant, or that wrote the message.
    public var user: UserID?
    /// The reported text at the time of the report.
    public var quote: String?
    /// What the reporter wrote.
    public var text: String?
    /// The reporter; `nil` if the account is gone.
    public var by: UserID?
    /// When it was decided; `nil`: it is open.
    public var resolvedMilliseconds: Int64?
    /// Who decided; `nil` for the operator, for accounts that are gone, and for an open report.
    public var resolvedBy: UserID?
    /// What was noted of the decision.
    public var note: String?

    public init(
        id: Int64, atMilliseconds: Int64, kind: String, room: RoomID?, message: Int64?, user: UserID?, quote: String?,
        text: String?, by: UserID?, resolvedMilliseconds: Int64?, resolvedBy: UserID?, note: String?
    ) {
        self.id = id
        self.atMilliseconds = atMilliseconds
        self.kind = kind
        self.room = room
        self.message = message
        self.user = user
        self.quote = quote
        self.text = text
        self.by = by
        self.resolvedMilliseconds = resolvedMilliseconds
        self.resolvedBy = resolvedBy
        self.note = note
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member("at_ms", \Self.atMilliseconds, .wallTime),
        Member("kind", \Self.kind, .line(bytes: Limits.reportKindBytes)),
        Member(nullable: "room", \Self.room, .roomID),
        Member(nullable: "message", \Self.message, .chatID),
        Member(nullable: "user", \Self.user, .userID),
        Member(nullable: "quote", \Self.quote, .text(bytes: Limits.reportQuoteBytes)),
        Member(nullable: "text", \Self.text, .text(bytes: Limits.reportTextBytes)),
        Member(nullable: "by", \Self.by, .userID),
        Member(nullable: "resolved_ms", \Self.resolvedMilliseconds, .wallTime),
        Member(nullable: "resolved_by", \Self.resolvedBy, .userID),
        Member(nullable: "note", \Self.note, .line(bytes: Limits.reportNoteBytes)),
        make: Self.init)
}

// MARK: - Requests

/// `report.send`: says that a room, a message or a user should not be there.
///
/// Source: Protocol/spec/reports.md, "report.send".
public struct ReportSend: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "report.send"
    public static let permission: Permission? = .roomsListen

    /// Why: 1 to 64 bytes, a word of an open list.
    public var kind: String
    /// The room, or the one that the message or the user is in. One of `room` and `user` is there.
    public var room: RoomReference?
    public var message: Int64?
    public var user: UserReference?
    /// At most 1000 bytes.
    public var text: String?

    public init(
        kind: String, room: RoomReference? = nil, message: Int64? = nil, user: UserReference? = nil, text: String? = nil
    ) {
        self.kind = kind
        self.room = room
        self.message = message
        self.user = user
        self.text = text
    }

    public static let declaration = Declaration(
        Member("kind", \Self.kind, .line(bytes: Limits.reportKindBytes)),
        Member(optional: "room", \Self.room, .roomReference),
        Member(optional: "message", \Self.message, .chatID),
        Member(optional: "user", \Self.user, .userReference),
        Member(optional: "text", \Self.text, .text(bytes: Limits.reportTextBytes)),
        make: Self.init)
}

/// `feedback.send`: tells the operator what one wishes for, or what does not work. It comes into the inbox of reports.
///
/// Source: Protocol/spec/reports.md, "feedback.send".
public struct FeedbackSend: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "feedback.send"
    public static let permission: Permission? = .roomsListen

    /// 1 to 1000 bytes.
    public var text: String

    public init(text: String) { self.text = text }

    public static let declaration = Declaration(
        Member("text", \Self.text, .text(bytes: Limits.feedbackTextBytes)), make: Self.init)
}

/// `reports.list`: reports, the newest first.
///
/// Source: Protocol/spec/reports.md, "reports.list".
public struct ReportsList: DeclaredRequest {
    public typealias Response = ReportPage
    public static let type = "reports.list"
    public static let permission: Permission? = .reportsHandle

    /// `true`: only those that are open. `false`: only those that are decided. `nil`: all.
    public var isOpen: Bool?
    /// Only those of this kind.
    public var kind: String?
    /// Only reports of a smaller `id`: `nextBefore` of the page before.
    public var before: Int64?
    /// 1 to 100.
    public var limit: Int

    public init(
        isOpen: Bool? = nil, kind: String? = nil, before: Int64? = nil, limit: Int = Limits.reportPageCountDefault
    ) {
        self.isOpen = isOpen
        self.kind = kind
        self.before = before
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member(optional: "open", \Self.isOpen, .flag),
        Member(optional: "kind", \Self.kind, .line(bytes: Limits.reportKindBytes)),
        Member(optional: "before", \Self.before, .number),
        Member("limit", \Self.limit, .integer(Limits.reportPageCount), default: Limits.reportPageCountDefault),
        make: Self.init)
}

/// The answer to `reports.list`.
public struct ReportPage: DeclaredObject, Equatable {
    public var reports: [Report]
    /// What to ask with as `before` for the page after; `nil` on the last page.
    public var nextBefore: Int64?

    public init(reports: [Report], nextBefore: Int64?) {
        self.reports = reports
        self.nextBefore = nextBefore
    }

    public static let declaration = Declaration(
        Member("reports", \Self.reports, .objects()),
        Member(nullable: "next_before", \Self.nextBefore, .number),
        make: Self.init)
}

/// `reports.resolve`: notes that a report is decided.
///
/// Source: Protocol/spec/reports.md, "reports.resolve".
public struct ReportsResolve: DeclaredRequest {
    public typealias Response = ReportResult
    public static let type = "reports.resolve"
    public static let permission: Permission? = .reportsHandle

    public var id: Int64
    /// One line of at most 200 bytes.
    public var note: String?

    public init(id: Int64, note: String? = nil) {
        self.id = id
        self.note = note
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member(optional: "note", \Self.note, .line(bytes: Limits.reportNoteBytes)),
        make: Self.init)
}

/// The report as it is now.
public struct ReportResult: DeclaredObject, Equatable {
    public var report: Report

    public init(report: Report) { self.report = report }

    public static let declaration = Declaration(Member("report", \Self.report, .object), make: Self.init)
}
