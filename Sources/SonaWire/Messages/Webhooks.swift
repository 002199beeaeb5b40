extension Catalogue {
    /// Addresses of others that are told what happens here.
    ///
    /// Source: Protocol/spec/webhooks.md.
    static let webhooks = Area(
        "webhooks",
        requests: [
            WebhookAdd.self, WebhookList.self, WebhookUpdate.self, WebhookTest.self, WebhookRemove.self,
        ])
}

extension Limits {
    /// The feature that announces webhooks.
    public static let webhooksFeature = "webhooks"
    /// Webhooks of one room, and those that are told of all public rooms.
    public static let webhooksPerRoomMax = 5
    public static let webhooksOfServerMax = 20
    /// Events that wait for one webhook. Beyond that new ones are dropped, and counted.
    public static let webhookEventsMax = 200
    /// Answers that are kept of one webhook.
    public static let webhookAnswersMax = 10
    /// Days after which a webhook that only fails is switched off.
    public static let webhookFailingDays = 5
}

// MARK: - Words

/// What a webhook can be told.
///
/// Source: Protocol/spec/webhooks.md, "Events".
public enum WebhookEvent: String, CaseIterable, Sendable {
    /// A broadcast has begun.
    case roomLive = "room.live"
    /// A broadcast has ended.
    case roomEnded = "room.ended"
    /// A track waits for a decision.
    case submissionCreated = "submission.created"
    /// Somebody tries whether it works.
    case test
}

/// How a webhook is told.
public enum WebhookForm: String, CaseIterable, Sendable {
    /// JSON of this server's own, signed.
    case json
    /// As Discord's webhooks take it, and those of programs that do as Discord.
    case discord
}

// MARK: - Objects

/// What came of one try.
///
/// Source: Protocol/spec/webhooks.md, "Answer".
public struct WebhookAnswer: DeclaredObject, Hashable, Codable {
    /// Milliseconds since 1970, UTC.
    public var atMilliseconds: Int64
    /// A word of an open list: see `WebhookEvent`.
    public var event: String
    /// The status of the answer; `nil` if there was none.
    public var status: Int?
    /// Why there was none, a word of an open list; `nil` if there was one.
    public var error: String?

    public init(atMilliseconds: Int64, event: String, status: Int? = nil, error: String? = nil) {
        self.atMilliseconds = atMilliseconds
        self.event = event
        self.status = status
        self.error = error
    }

    public static let declaration = Declaration(
        Member("at_ms", \Self.atMilliseconds, .wallTime),
        Member("event", \Self.event, .line(bytes: Limits.serviceWordBytes)),
        Member(nullable: "status", \Self.status, .integer(100...599)),
        Member(nullable: "error", \Self.error, .line(bytes: Limits.serviceWordBytes)), make: Self.init)
}

/// An address that is told what happens.
///
/// Source: Protocol/spec/webhooks.md, "Webhook".
public struct Webhook: DeclaredObject, Hashable {
    public var id: Int64
    /// `nil`: of all public rooms, and of the server.
    public var room: RoomID?
    public var url: String
    public var form: WebhookForm
    /// Words of an open list: see `WebhookEvent`.
    public var events: [String]
    /// `false`: somebody has switched it off, or it has only failed for days.
    public var isOn: Bool
    /// Milliseconds since 1970, UTC.
    public var createdMilliseconds: Int64
    /// Events that wait, that were taken, and that were left out.
    public var waitingCount: Int
    public var deliveredCount: Int64
    public var droppedCount: Int64
    /// When it is tried again; `nil` unless it failed last.
    public var nextMilliseconds: Int64?
    /// What came of the last tries, the newest first.
    public var answers: [WebhookAnswer]

    public init(
        id: Int64, room: RoomID?, url: String, form: WebhookForm, events: [String], isOn: Bool,
        createdMilliseconds: Int64, waitingCount: Int = 0, deliveredCount: Int64 = 0, droppedCount: Int64 = 0,
        nextMilliseconds: Int64? = nil, answers: [WebhookAnswer] = []
    ) {
        self.id = id
        self.room = room
        self.url = url
        self.form = form
        self.events = events
        self.isOn = isOn
        self.createdMilliseconds = createdMilliseconds
        self.waitingCount = waitingCount
        self.deliveredCount = deliveredCount
        self.droppedCount = droppedCount
        self.nextMilliseconds = nextMilliseconds
        self.answers = answers
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member(nullable: "room", \Self.room, .roomID),
        Member("url", \Self.url, .line(bytes: Limits.serviceAddressBytes)),
        Member("form", \Self.form, .word),
        Member("events", \Self.events, .lines(bytes: Limits.serviceWordBytes, count: 1...10)),
        Member("on", \Self.isOn, .flag),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        Member("waiting", \Self.waitingCount, .count),
        Member("delivered", \Self.deliveredCount, .count),
        Member("dropped", \Self.droppedCount, .count),
        Member(nullable: "next_ms", \Self.nextMilliseconds, .wallTime),
        Member("answers", \Self.answers, .objects(count: 0...Limits.webhookAnswersMax)),
        make: Self.init)
}

/// The answer to `webhook.update`.
public struct WebhookResult: DeclaredObject, Hashable {
    public var webhook: Webhook

    public init(webhook: Webhook) { self.webhook = webhook }

    public static let declaration = Declaration(Member("webhook", \Self.webhook, .object), make: Self.init)
}

// MARK: - Requests

/// `webhook.add`: has an address told what happens in a room, or in all public rooms and at the server.
///
/// Source: Protocol/spec/webhooks.md, "webhook.add".
public struct WebhookAdd: DeclaredRequest {
    public typealias Response = WebhookAdded
    public static let type = "webhook.add"
    public static let permission: Permission? = .roomsControl

    /// `nil`: all public rooms, and the server.
    public var room: RoomReference?
    public var url: String
    public var form: WebhookForm?
    /// `nil`: all that it can be told.
    public var events: [String]?

    public init(room: RoomReference? = nil, url: String, form: WebhookForm? = nil, events: [String]? = nil) {
        self.room = room
        self.url = url
        self.form = form
        self.events = events
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("url", \Self.url, .line(bytes: Limits.serviceAddressBytes)),
        Member(optional: "form", \Self.form, .word),
        Member(optional: "events", \Self.events, .lines(bytes: Limits.serviceWordBytes, count: 1...10)),
        make: Self.init)
}

/// The answer to `webhook.add`.
public struct WebhookAdded: DeclaredObject, Hashable {
    public var webhook: Webhook
    /// The key of the signatures, which is told this once; empty where nothing is signed.
    public var secret: String

    public init(webhook: Webhook, secret: String) {
        self.webhook = webhook
        self.secret = secret
    }

    public static let declaration = Declaration(
        Member("webhook", \Self.webhook, .object), Member("secret", \Self.secret, .text(bytes: 0...100)),
        make: Self.init)
}

/// `webhook.list`: the webhooks of a room, or those of all public rooms.
///
/// Source: Protocol/spec/webhooks.md, "webhook.list".
public struct WebhookList: DeclaredRequest {
    public typealias Response = Webhooks
    public static let type = "webhook.list"
    public static let permission: Permission? = .roomsControl

    /// `nil`: those of all public rooms.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public static let declaration = Declaration(Member(optional: "room", \Self.room, .roomReference), make: Self.init)
}

/// The answer to `webhook.list`.
public struct Webhooks: DeclaredObject, Hashable {
    /// The oldest first.
    public var webhooks: [Webhook]

    public init(webhooks: [Webhook]) { self.webhooks = webhooks }

    public static let declaration = Declaration(
        Member("webhooks", \Self.webhooks, .objects(count: 0...Limits.webhooksOfServerMax)), make: Self.init)
}

/// `webhook.update`: switches a webhook on or off.
///
/// Source: Protocol/spec/webhooks.md, "webhook.update".
public struct WebhookUpdate: DeclaredRequest {
    public typealias Response = WebhookResult
    public static let type = "webhook.update"
    public static let permission: Permission? = .roomsControl

    public var id: Int64
    public var isOn: Bool

    public init(id: Int64, isOn: Bool) {
        self.id = id
        self.isOn = isOn
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number), Member("on", \Self.isOn, .flag), make: Self.init)
}

/// `webhook.test`: tells it something at once, and says what came of it.
///
/// Source: Protocol/spec/webhooks.md, "webhook.test".
public struct WebhookTest: DeclaredRequest {
    public typealias Response = WebhookTested
    public static let type = "webhook.test"
    public static let permission: Permission? = .roomsControl

    public var id: Int64

    public init(id: Int64) { self.id = id }

    public static let declaration = Declaration(Member("id", \Self.id, .number), make: Self.init)
}

/// The answer to `webhook.test`.
public struct WebhookTested: DeclaredObject, Hashable {
    public var answer: WebhookAnswer

    public init(answer: WebhookAnswer) { self.answer = answer }

    public static let declaration = Declaration(Member("answer", \Self.answer, .object), make: Self.init)
}

/// `webhook.remove`: tells an address nothing more.
///
/// Source: Protocol/spec/webhooks.md, "webhook.remove".
public struct WebhookRemove: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "webhook.remove"
    public static let permission: Permission? = .roomsControl

    public var id: Int64

    public init(id: Int64) { self.id = id }

    public static let declaration = Declaration(Member("id", \Self.id, .number), make: Self.init)
}
