internal import SonaRooms
internal import SonaWire

/// The queue in the form that messages show.
extension QueuedTrack {
    init(_ entry: QueueEntry, _ people: [UserID: User]) {
        self.init(
            id: entry.id.rawValue, track: entry.reference.track, source: entry.reference.source?.text,
            // A user whose account is not known is shown without a name.
            user: people[entry.suggestedBy] ?? User(uid: entry.suggestedBy, username: nil, isGuest: true),
            addedMilliseconds: entry.addedMilliseconds, isApproved: entry.approval == .approved,
            upvotes: entry.upvotes, downvotes: entry.downvotes)
    }
}

extension QueueNow {
    init(_ playing: NowPlaying, _ people: [UserID: User]) {
        self.init(
            entry: QueuedTrack(playing.entry, people), play: playing.play,
            startedMilliseconds: playing.startedMilliseconds)
    }
}

extension QueueChange {
    init(_ event: PartyEvent, _ people: [UserID: User]) {
        switch event {
        case .added(let entries, let after):
            self = .added(entries.map { QueuedTrack($0, people) }, after: after?.rawValue)
        case .removed(let ids, let reason):
            self = .removed(ids.map(\.rawValue), reason)
        case .approved(let id): self = .approved(id.rawValue)
        case .moved(let id, let after, _): self = .moved(id.rawValue, after: after?.rawValue)
        case .reordered(let ids): self = .reordered(ids.map(\.rawValue))
        case .votesChanged(let id, let upvotes, let downvotes):
            self = .votes(id.rawValue, upvotes: upvotes, downvotes: downvotes)
        case .rulesChanged(let rules): self = .rules(rules)
        case .repeatChanged(let mode): self = .repeatMode(mode)
        case .now(let playing): self = .now(playing.map { QueueNow($0, people) })
        case .skipProgress(let votes, let needed): self = .skip(votes: votes, needed: needed)
        }
    }
}

extension QueuePlace {
    init(_ position: QueuePosition) {
        switch position {
        case .first: self = .first
        case .last: self = .last
        case .before(let id): self = .before(QueueEntryID(id))
        case .after(let id): self = .after(QueueEntryID(id))
        }
    }
}

extension WireError {
    /// - Parameter now: Wall time, ms.
    init(_ refusal: PartyRefusal, _ command: PartyCommand? = nil, now: Int64) {
        switch (refusal.rule, command) {
        case (.notAllowed, .started), (.notAllowed, .finished): self = WireError(.hostNotHost)
        case (.notAllowed, _): self = .roomForbidden(.control)
        default: self.init(ErrorCode(refusal.rule.rawValue) ?? .serverInternal)
        }
        retryAfterMilliseconds = refusal.liftsAtMilliseconds.map { Int(clamping: max(0, $0 - now)) + 1 }
        guard let limit = refusal.limit else { return }
        let unit = refusal.rule == .tooNew || refusal.rule == .cooldown ? " s" : ""
        message = "\(message.dropLast()) (\(limit)\(unit))."
    }
}
