internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// How many listen to what the room plays.
extension RoomHome {
    /// How long after the server ended a broadcast goes on as the same, ms.
    static let audienceRecallMilliseconds: Int64 = 600_000

    /// Looks at who listens: somebody came or went, or the seat or the broadcast has changed.
    ///
    /// - Parameter user: Who came.
    func noteAudience(entering user: User? = nil, now: Int64) {
        let broadcast = room.broadcast
        guard broadcast != nil || audience != nil else { return }
        let wall = MonotonicClock.wallMilliseconds()
        if let audience, audience.broadcast != broadcast { endAudience(now: now, wall: wall) }
        guard let broadcast else { return }
        var desk = audience ?? openAudience(broadcast, now: now, wall: wall)
        if audience == nil, desk.isNew { noteWebhooks(.roomLive, desk) }
        if audience == nil || desk.host != room.seat.host?.uid {
            desk.host = room.seat.host?.uid
            for user in room.listeningUsers { desk.enter(user) }
            for listener in (radio?.audience ?? []) + (speakers?.audience ?? []) { desk.enter(listener) }
        } else if let user, user.uid != desk.host {
            desk.enter(user)
        }
        let count = activeListeners + room.radioListeners
        if desk.count != count { desk.set(count, now: now, wall: wall) }
        audience = desk
    }

    /// Somebody listens by HTTP, or a speaker does.
    func noteAudience(entering listener: RadioAudience) { audience?.enter(listener) }

    private func openAudience(_ broadcast: Int, now: Int64, wall: Int64) -> AudienceDesk {
        defer { recalledAudience = nil }
        core.audiences.begin(id)
        guard let stored = recalledAudience, wall - stored.updatedMilliseconds < Self.audienceRecallMilliseconds else {
            return AudienceDesk(broadcast: broadcast, now: now, wall: wall)
        }
        return AudienceDesk(stored, broadcast: broadcast, now: now)
    }

    private func endAudience(now: Int64, wall: Int64) {
        guard var desk = audience else { return }
        audience = nil
        core.audiences.end(id, desk.change(isOver: true, now: now, wall: wall))
        noteWebhooks(.roomEnded, desk, wall: wall)
    }

    /// Has webhooks told that the broadcast has begun or ended, off the loop and in this order.
    private func noteWebhooks(_ event: WebhookEvent, _ desk: AudienceDesk, wall: Int64 = 0) {
        var matter = WebhookMatter()
        matter.room = id.rawValue
        matter.title = room.settings.title
        if event == .roomLive {
            matter.user = (room.seat.host ?? room.owner).username?.rawValue
        } else {
            let audience = desk.audience
            matter.user = room.owner.username?.rawValue
            (matter.fromMilliseconds, matter.untilMilliseconds) = (audience.fromMilliseconds, wall)
            (matter.accounts, matter.guests, matter.peak) = (audience.accounts, audience.guests, audience.peak)
        }
        let (store, id, before) = (core.services.model.webhooks, self.id, webhookNotes)
        let note = Task {
            await before?.value
            for _ in 0..<60 {
                do throws(Refusal) {
                    return try await store.note(event, matter, in: id)
                } catch {
                    // Any other refusal says that nobody is to be told.
                    guard error.code == .serverBusy || error.code == .serverStorageFailed else { return }
                    try? await Task.sleep(for: .seconds(1))
                }
            }
        }
        webhookNotes = note
        core.services.writes.run { await note.value }
    }

    /// What is to be written now; `nil` between broadcasts.
    func audienceChange(now: Int64, wall: Int64) -> AudienceChange? {
        audience?.change(isOver: false, now: now, wall: wall)
    }
}
