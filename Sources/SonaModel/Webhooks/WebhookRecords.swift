internal import SonaDatabase
internal import SonaWire

/// An address that is told what happens.
struct WebhookRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    /// `nil`: all public rooms, and the server.
    let room: RoomID?
    let url: String
    let form: WebhookForm
    /// Words of an open list, with spaces between them.
    let events: String
    /// The key of the signatures, sealed.
    let secret: [UInt8]
    var isOn = true
    /// Tells it from another one that has its number later.
    let createdMilliseconds: Int64
    var deliveredCount: Int64 = 0
    var droppedCount: Int64 = 0
    /// Failures in a row, and since when; 0 and `nil` unless it failed last.
    var failures = 0
    var failingSinceMilliseconds: Int64?
    var nextMilliseconds: Int64?
    /// The newest first.
    var answers = SonaDatabase.JSON<[WebhookAnswer]>([])

    static let number = Column("number", \Self.number, .primaryKey)
    static let room = Column("room_id", \Self.room, .indexed, .references(RoomRecord.self, onDelete: .cascade))
    static let url = Column("url", \Self.url)
    static let form = Column("form", \Self.form, .anyCase)
    static let events = Column("events", \Self.events)
    static let secret = Column("secret", \Self.secret)
    static let isOn = Column("is_on", \Self.isOn, .oneOf(false, true))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let delivered = Column("delivered", \Self.deliveredCount)
    static let dropped = Column("dropped", \Self.droppedCount)
    static let failures = Column("failures", \Self.failures)
    static let failingSince = Column("failing_since_ms", \Self.failingSinceMilliseconds)
    static let next = Column("next_ms", \Self.nextMilliseconds)
    static let answers = Column("answers", \Self.answers)

    static let table = Table<Self>(
        "webhooks", number, room, url, form, events, secret, isOn, created, delivered, dropped, failures, failingSince,
        next, answers)

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(room)
        values.next(url)
        values.next(form)
        values.next(events)
        values.next(secret)
        values.next(isOn)
        values.next(createdMilliseconds)
        values.next(deliveredCount)
        values.next(droppedCount)
        values.next(failures)
        values.next(failingSinceMilliseconds)
        values.next(nextMilliseconds)
        values.next(answers)
    }

    func described(waiting: Int) -> Webhook {
        Webhook(
            id: number ?? 0, room: room, url: url, form: form, events: events.split(separator: " ").map(String.init),
            isOn: isOn, createdMilliseconds: createdMilliseconds, waitingCount: waiting,
            deliveredCount: deliveredCount, droppedCount: droppedCount, nextMilliseconds: nextMilliseconds,
            answers: answers.value)
    }
}

extension WebhookRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        room = try row.next()
        url = try row.next()
        form = try row.next()
        events = try row.next()
        secret = try row.next()
        isOn = try row.next()
        createdMilliseconds = try row.next()
        deliveredCount = try row.next()
        droppedCount = try row.next()
        failures = try row.next()
        failingSinceMilliseconds = try row.next()
        nextMilliseconds = try row.next()
        answers = try row.next()
    }
}

/// An event that waits for one webhook.
struct WebhookEventRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    let webhook: Int64
    /// The same for all webhooks that are told of it, and for each try.
    let event: String
    /// A word of an open list.
    let kind: String
    let atMilliseconds: Int64
    let matter: SonaDatabase.JSON<WebhookMatter>

    static let number = Column("number", \Self.number, .primaryKey)
    static let webhook = Column("webhook", \Self.webhook, .references(WebhookRecord.self, onDelete: .cascade))
    static let event = Column("event", \Self.event)
    static let kind = Column("kind", \Self.kind)
    static let at = Column("at_ms", \Self.atMilliseconds)
    static let matter = Column("matter", \Self.matter)

    static let table = Table<Self>(
        "webhook_events", number, webhook, event, kind, at, matter,
        rules: [.index("webhook_events_by_webhook", on: webhook.ascending, number.ascending)])

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(webhook)
        values.next(event)
        values.next(kind)
        values.next(atMilliseconds)
        values.next(matter)
    }
}

extension WebhookEventRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        webhook = try row.next()
        event = try row.next()
        kind = try row.next()
        atMilliseconds = try row.next()
        matter = try row.next()
    }
}

/// Webhooks, and the events that wait for them.
struct WebhookDAO: RoomRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(WebhookRecord.self)
        setUp.createTable(WebhookEventRecord.self)
    }
}
