internal import SonaBase
internal import SonaCrypto
internal import SonaDatabase
package import SonaWire

/// What an event is about. What it does not have is `nil`.
package struct WebhookMatter: Codable, Sendable, Equatable {
    package var room: String?
    package var title: String?
    /// The host, or whoever submits.
    package var user: String?
    package var track: String?
    package var artist: String?
    /// When the broadcast began and ended, ms since 1970, and who listened.
    package var fromMilliseconds: Int64?
    package var untilMilliseconds: Int64?
    package var accounts: Int?
    package var guests: Int?
    package var peak: Int?

    package init() {}
}

/// Addresses that are told what happens, and the events that wait for them.
///
/// An event is written for each webhook that wants it. Those of one webhook are told in their order; one that fails keeps
/// the others waiting, up to a limit.
///
/// Source: Protocol/spec/webhooks.md.
package final class WebhookStore: Sendable {
    /// What waits longest for one webhook.
    package struct Telling: Sendable {
        package let webhook: Int64
        package let createdMilliseconds: Int64
        package let url: String
        package let form: WebhookForm
        /// `nil`: the key is another one than when it was sealed.
        package let secret: [UInt8]?
        package let failures: Int
        /// 0 for a test.
        package let number: Int64
        package let event: String
        package let kind: String
        package let atMilliseconds: Int64
        package let matter: WebhookMatter
    }

    /// What was told since the server began.
    package struct Figures: Sendable, Equatable {
        package var delivered: UInt64 = 0
        package var failures: UInt64 = 0
        package var dropped: UInt64 = 0
    }

    let dao: WebhookDAO
    let key: SealingKey
    let clock: WallClock
    private let handler = Monitor<(@Sendable () -> Void)?>(nil)
    let counted = Monitor(Figures())

    init(_ dao: WebhookDAO, key: SealingKey, clock: WallClock) {
        self.dao = dao
        self.key = key
        self.clock = clock
    }

    package var figures: Figures { counted.withLock { $0 } }

    /// Sets who is told that something may be there to tell. On any thread; must not block.
    package func onWork(_ handler: @escaping @Sendable () -> Void) { self.handler.withLock { $0 = handler } }

    func tell() { handler.withLock { $0 }?() }

    // MARK: Webhooks

    /// - Parameters:
    ///   - room: `nil`: all public rooms, and the server.
    ///   - actor: Who must have the capability `control` still.
    /// - Throws: `webhookLimitReached`; `roomUnknown`, `roomClosed`, `forbidden`, `busy`, `storage`.
    package func add(
        _ url: String, _ form: WebhookForm, _ events: [String], in room: RoomID?, by actor: UserID
    ) async throws(Refusal) -> WebhookAdded {
        let now = clock.nowMilliseconds()
        let secret = Base64.encode(SecureRandom.bytes(32))
        let sealed = key.seal(Array(secret.utf8), for: Self.context(url, now))
        let webhook = try await dao.write { db -> Webhook in
            if let room {
                try RoomRights.require(.control, of: actor, in: room, &db)
            } else {
                try AdminRights.require(.roomsInspect, of: actor, now: now, in: &db)
            }
            let most = room == nil ? Limits.webhooksOfServerMax : Limits.webhooksPerRoomMax
            guard try db.value("SELECT count(*) FROM webhooks WHERE room_id IS \(room)", as: Int.self) ?? 0 < most
            else { throw Refusal(.webhookLimitReached) }
            return try db.insertReturning(
                WebhookRecord(
                    number: nil, room: room, url: url, form: form, events: events.joined(separator: " "),
                    secret: sealed, createdMilliseconds: now)
            ).described(waiting: 0)
        }
        return WebhookAdded(webhook: webhook, secret: form == .json ? secret : "")
    }

    static func context(_ url: String, _ created: Int64) -> [UInt8] {
        Array("webhook\n\(created)\n\(url)".utf8)
    }

    /// - Throws: `busy`, `storage`.
    package func list(in room: RoomID?) async throws(Refusal) -> [Webhook] {
        try await dao.read { db in try Self.list("room_id IS \(room)", &db) }
    }

    static func list(_ condition: SQL, _ db: inout some DatabaseAccess & ~Copyable) throws -> [Webhook] {
        try db.all(WebhookRecord.self, "WHERE \(condition) ORDER BY number").map { record in
            record.described(
                waiting: try db.value(
                    "SELECT count(*) FROM webhook_events WHERE webhook = \(record.number ?? 0)", as: Int.self) ?? 0)
        }
    }

    /// Switches it on or off. What waits while it is off goes when it is switched on.
    ///
    /// - Throws: `webhookNotFound`; `roomClosed`, `forbidden`, `busy`, `storage`.
    package func update(_ number: Int64, isOn: Bool, by actor: UserID) async throws(Refusal) -> Webhook {
        let now = clock.nowMilliseconds()
        let webhook = try await dao.write { db -> Webhook in
            let current = try Self.find(number, by: actor, now: now, &db)
            var changed = current
            changed.isOn = isOn
            (changed.failures, changed.failingSinceMilliseconds, changed.nextMilliseconds) = (0, nil, nil)
            try db.updateChanges(changed, from: current)
            guard let webhook = try Self.list("number = \(number)", &db).first else { throw Refusal(.webhookNotFound) }
            return webhook
        }
        tell()
        return webhook
    }

    /// - Throws: As `update`.
    package func remove(_ number: Int64, by actor: UserID) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        try await dao.write { db -> Void in
            _ = try Self.find(number, by: actor, now: now, &db)
            _ = try db.delete(WebhookRecord.self, key: number)
        }
    }

    /// A test, which waits for nothing.
    ///
    /// - Throws: As `update`.
    package func test(_ number: Int64, by actor: UserID) async throws(Refusal) -> Telling {
        let now = clock.nowMilliseconds()
        let record = try await dao.write { db in try Self.find(number, by: actor, now: now, &db) }
        return telling(
            record,
            WebhookEventRecord(
                number: nil, webhook: number, event: SecureRandom.alphanumeric(20),
                kind: WebhookEvent.test.rawValue, atMilliseconds: now, matter: SonaDatabase.JSON(WebhookMatter())))
    }

    /// The webhook, if the actor may change it. To others it is not there.
    private static func find(
        _ number: Int64, by actor: UserID, now: Int64, _ db: inout WriteAccess
    ) throws -> WebhookRecord {
        guard let record = try db.first(WebhookRecord.self, key: number) else { throw Refusal(.webhookNotFound) }
        do {
            if let room = record.room {
                try RoomRights.require(.control, of: actor, in: room, &db)
            } else {
                try AdminRights.require(.roomsInspect, of: actor, now: now, in: &db)
            }
        } catch is Refusal { throw Refusal(.webhookNotFound) }
        return record
    }
}
