internal import SonaBase
internal import SonaCrypto
package import SonaDatabase
package import SonaWire

/// Events, from what happens to what is told.
extension WebhookStore {
    /// Writes an event for each webhook that wants it.
    ///
    /// - Parameter isPublic: Whether those of all public rooms are told as well.
    /// - Returns: For how many it was written, and for how many too much waits. `noted` is told of it after the commit.
    package static func note(
        _ kind: WebhookEvent, _ matter: WebhookMatter, in room: RoomID?, isPublic: Bool, at now: Int64,
        _ db: inout WriteAccess
    ) throws -> (written: Int, dropped: Int) {
        let event = SecureRandom.alphanumeric(20)
        var count = (written: 0, dropped: 0)
        let ofServer: SQL = isPublic ? "room_id IS NULL" : "0"
        let numbers = try db.all(
            WebhookRecord.self, "WHERE is_on = 1 AND (room_id = \(room) OR \(ofServer)) ORDER BY number")
        for record in numbers where record.events.split(separator: " ").contains(Substring(kind.rawValue)) {
            let number = record.number ?? 0
            let waiting =
                try db.value("SELECT count(*) FROM webhook_events WHERE webhook = \(number)", as: Int.self) ?? 0
            guard waiting < Limits.webhookEventsMax else {
                try db.execute("UPDATE webhooks SET dropped = dropped + 1 WHERE number = \(number)")
                count.dropped += 1
                continue
            }
            try db.insert(
                WebhookEventRecord(
                    number: nil, webhook: number, event: event, kind: kind.rawValue, atMilliseconds: now,
                    matter: SonaDatabase.JSON(matter)))
            count.written += 1
        }
        return count
    }

    /// The same in a transaction of its own.
    ///
    /// - Throws: `busy`, `storage`.
    package func note(_ kind: WebhookEvent, _ matter: WebhookMatter, in room: RoomID?) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        let count = try await dao.write { db -> (written: Int, dropped: Int) in
            var isPublic = true
            if let room {
                guard let record = try db.first(RoomRecord.self, key: room) else { return (0, 0) }
                isPublic = record.settings.visibility == .public
            }
            return try Self.note(kind, matter, in: room, isPublic: isPublic, at: now, &db)
        }
        noted(count)
    }

    /// Counts events that were written, in a transaction that is committed, and has them told.
    package func noted(_ count: (written: Int, dropped: Int)) {
        if count.dropped > 0 { counted.withLock { $0.dropped &+= UInt64(count.dropped) } }
        if count.written > 0 { tell() }
    }

    // MARK: Telling

    /// What waits longest for each webhook that is due.
    ///
    /// - Returns: Those, and when the next one is due, ms since 1970; `nil` if none is.
    /// - Throws: `busy`, `storage`.
    package func due(limit: Int) async throws(Refusal) -> (tellings: [Telling], next: Int64?) {
        let now = clock.nowMilliseconds()
        let (found, next) = try await dao.read { db in
            let numbers = try db.values(
                """
                SELECT min(e.number) FROM webhook_events e JOIN webhooks w ON w.number = e.webhook
                WHERE w.is_on = 1 AND coalesce(w.next_ms, 0) <= \(now) GROUP BY e.webhook ORDER BY 1 LIMIT \(limit)
                """, as: Int64.self)
            let next = try db.value(
                """
                SELECT min(w.next_ms) FROM webhooks w WHERE w.is_on = 1 AND w.next_ms > \(now)
                    AND EXISTS (SELECT 1 FROM webhook_events WHERE webhook = w.number)
                """, as: Int64?.self)
            let found = try numbers.compactMap { number -> (WebhookRecord, WebhookEventRecord)? in
                guard let event = try db.first(WebhookEventRecord.self, key: number),
                    let webhook = try db.first(WebhookRecord.self, key: event.webhook)
                else { return nil }
                return (webhook, event)
            }
            return (found, next ?? nil)
        }
        return (found.map { telling($0.0, $0.1) }, next)
    }

    func telling(_ webhook: WebhookRecord, _ event: WebhookEventRecord) -> Telling {
        Telling(
            webhook: webhook.number ?? 0, createdMilliseconds: webhook.createdMilliseconds, url: webhook.url,
            form: webhook.form,
            secret: key.open(webhook.secret, for: Self.context(webhook.url, webhook.createdMilliseconds)),
            failures: webhook.failures, number: event.number ?? 0, event: event.event, kind: event.kind,
            atMilliseconds: event.atMilliseconds, matter: event.matter.value)
    }

    /// Notes what came of a try.
    ///
    /// - Parameters:
    ///   - isTaken: The event is done. Else it is tried again.
    ///   - wait: After how many ms; `nil`: never, the webhook is switched off.
    /// - Throws: `busy`, `storage`.
    package func note(
        _ answer: WebhookAnswer, of told: Telling, isTaken: Bool, wait: Int64? = 0
    ) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        let isTest = told.number == 0
        try await dao.write { db -> Void in
            guard let current = try db.first(WebhookRecord.self, key: told.webhook),
                current.createdMilliseconds == told.createdMilliseconds
            else { return }
            var changed = current
            changed.answers = SonaDatabase.JSON(
                Array(([answer] + current.answers.value).prefix(Limits.webhookAnswersMax)))
            if !isTest, isTaken {
                try db.execute("DELETE FROM webhook_events WHERE number = \(told.number) AND webhook = \(told.webhook)")
                changed.deliveredCount += 1
            }
            if isTaken {
                (changed.failures, changed.failingSinceMilliseconds, changed.nextMilliseconds) = (0, nil, nil)
            } else if !isTest {
                changed.failures += 1
                changed.failingSinceMilliseconds = current.failingSinceMilliseconds ?? now
                changed.nextMilliseconds = wait.map { now + $0 }
                let failing = now - (changed.failingSinceMilliseconds ?? now)
                if wait == nil || failing > Int64(Limits.webhookFailingDays) * 86_400_000 { changed.isOn = false }
            }
            try db.updateChanges(changed, from: current)
        }
        counted.withLock { if isTaken { $0.delivered &+= 1 } else { $0.failures &+= 1 } }
    }
}
