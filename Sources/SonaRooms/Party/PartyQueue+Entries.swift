internal import SonaWire

/// Adding, removing and ordering entries.
extension PartyQueue {
    // MARK: In

    mutating func add(
        _ references: [TrackReference], at place: QueuePlace, by member: PartyMember
    ) throws(PartyRefusal) -> [PartyEvent] {
        guard !references.isEmpty else { return [] }
        guard hasRoom(for: references) else { throw PartyRefusal(.full, limit: rules.entriesMax) }
        let index = try index(at: place)
        let entries = references.map { makeEntry($0, by: member, .approved) }
        waiting.insert(contentsOf: entries.map { Waiting(entry: $0) }, at: index)
        return [.added(entries, after: id(before: index))]
    }

    mutating func suggest(
        _ reference: TrackReference, by member: PartyMember
    ) throws(PartyRefusal) -> [PartyEvent] {
        guard !member.mayControl else { return try add([reference], at: .last, by: member) }
        if let refusal = PartyRefusal.longest(refusals(of: reference, by: member)) { throw refusal }
        let entry = makeEntry(reference, by: member, rules.needsApproval ? .pending : .approved)
        if rules.needsApproval {
            pending.append(entry)
            return [.added([entry], after: pending.dropLast().last?.id)]
        }
        waiting.append(Waiting(entry: entry))
        return [.added([entry], after: id(before: waiting.count - 1))]
    }

    private mutating func makeEntry(
        _ reference: TrackReference, by member: PartyMember, _ approval: QueueEntry.Approval
    ) -> QueueEntry {
        QueueEntry(
            id: makeID(), reference: reference, suggestedBy: member.uid, addedMilliseconds: clock, approval: approval)
    }

    private func hasRoom(for references: [TrackReference]) -> Bool {
        // Identifiers stay within what a message can carry.
        guard nextID <= Limits.integerMax - Int64(references.count) else { return false }
        return entryCount + references.count <= rules.entriesMax
            && references.reduce(entryBytes) { $0 + $1.bytes } <= Self.entryBytesMax
    }

    /// Bytes of the texts of all waiting, pending and playing entries.
    private var entryBytes: Int {
        let own = waiting.reduce(0) { $0 + $1.entry.reference.bytes } + pending.reduce(0) { $0 + $1.reference.bytes }
        return own + (playing?.entry.reference.bytes ?? 0)
    }

    /// All rules that stand against a suggestion.
    private func refusals(of reference: TrackReference, by member: PartyMember) -> [PartyRefusal] {
        var refusals = refusals(for: rules.suggesters, .suggest, of: member)
        if !hasRoom(for: [reference]) { refusals.append(PartyRefusal(.full, limit: rules.entriesMax)) }
        let mine = waiting.count { $0.entry.suggestedBy == member.uid } + pending.count { $0.suggestedBy == member.uid }
        if mine >= rules.waitingPerPersonMax {
            refusals.append(PartyRefusal(.personLimit, limit: rules.waitingPerPersonMax))
        }
        if exceedsShare(member.uid, waiting: mine) {
            refusals.append(PartyRefusal(.share, limit: rules.sharePlaysMax))
        }
        if waiting.contains(where: { $0.entry.reference.isSame(as: reference) })
            || pending.contains(where: { $0.reference.isSame(as: reference) })
            || playing.map({ $0.entry.reference.isSame(as: reference) }) ?? false
        {
            refusals.append(PartyRefusal(.duplicate))
        }
        if let lifts = cooldownEnd(of: reference) {
            refusals.append(PartyRefusal(.cooldown, liftsAt: lifts, limit: rules.cooldownSeconds))
        }
        return refusals
    }

    /// Whether one more entry could give somebody more plays within the window than allowed. If nobody else waits, the
    /// share does not apply.
    private func exceedsShare(_ user: UserID, waiting mine: Int) -> Bool {
        guard rules.sharePlaysMax < rules.shareWindow else { return false }
        guard waiting.contains(where: { $0.entry.suggestedBy != user }) else { return false }
        let plays = history.suffix(rules.shareWindow - 1).count { $0.suggestedBy == user }
        return plays + mine >= rules.sharePlaysMax
    }

    private func cooldownEnd(of reference: TrackReference) -> Int64? {
        guard let play = history.last(where: { $0.keys.contains(where: reference.keys.contains) }) else { return nil }
        let end = play.milliseconds + Int64(rules.cooldownSeconds) * 1000
        return end > clock ? end : nil
    }

    /// The rules that keep a member from suggesting or voting at all. A member with the right itself does not depend on
    /// the room's audience.
    func refusals(
        for audience: QueueRules.Audience, _ right: PartyRights, of member: PartyMember
    ) -> [PartyRefusal] {
        guard !member.mayControl else { return [] }
        var refusals: [PartyRefusal] = []
        switch audience {
        case _ where member.may(right): break
        case .nobody: refusals.append(PartyRefusal(.closed))
        case .members where member.isGuest: refusals.append(PartyRefusal(.accountRequired))
        case .members, .everybody: break
        }
        let joined = min(max(0, member.joinedMilliseconds), Limits.integerMax)
        let end = joined + Int64(rules.dwellSeconds) * 1000
        if end > clock { refusals.append(PartyRefusal(.tooNew, liftsAt: end, limit: rules.dwellSeconds)) }
        return refusals
    }

    mutating func approve(_ id: QueueEntryID) throws(PartyRefusal) -> [PartyEvent] {
        guard let index = pending.firstIndex(where: { $0.id == id }) else {
            // If two people approve an entry, the second approval changes nothing.
            guard place(of: id) == nil else { return [] }
            throw PartyRefusal(.unknownEntry)
        }
        var entry = pending.remove(at: index)
        entry.approval = .approved
        waiting.append(Waiting(entry: entry))
        return [.approved(id)]
    }

    // MARK: Out

    mutating func reject(_ id: QueueEntryID) throws(PartyRefusal) -> [PartyEvent] {
        guard let index = pending.firstIndex(where: { $0.id == id }) else { throw PartyRefusal(.unknownEntry) }
        pending.remove(at: index)
        return [.removed([id], .rejected)]
    }

    mutating func remove(_ id: QueueEntryID, by member: PartyMember) throws(PartyRefusal) -> [PartyEvent] {
        let place = place(of: id)
        let index = pending.firstIndex { $0.id == id }
        guard let entry = place.map({ waiting[$0].entry }) ?? index.map({ pending[$0] }) else {
            throw PartyRefusal(.unknownEntry)
        }
        let isOwn = entry.suggestedBy == member.uid
        guard isOwn || member.mayControl else { throw PartyRefusal(.notAllowed) }
        if let place { waiting.remove(at: place) }
        if let index { pending.remove(at: index) }
        return [.removed([id], isOwn ? .withdrawn : .removed)]
    }

    mutating func clear() -> [PartyEvent] {
        let ids = waiting.map(\.entry.id) + pending.map(\.id)
        waiting = []
        pending = []
        return ids.isEmpty ? [] : [.removed(ids, .cleared)]
    }

    // MARK: Order

    mutating func move(_ id: QueueEntryID, to place: QueuePlace) throws(PartyRefusal) -> [PartyEvent] {
        let old = try requirePlace(of: id)
        if place == .before(id) || place == .after(id) { return [] }
        let from = self.id(before: old)
        // The place is counted among the other entries.
        let index = try index(at: place)
        let new = index > old ? index - 1 : index
        guard new != old else { return [] }
        waiting.insert(waiting.remove(at: old), at: new)
        return [.moved(id, after: self.id(before: new), from: from)]
    }

    mutating func shuffle(seed: UInt64) -> [PartyEvent] {
        let before = waiting.map(\.entry.id)
        var shuffle = SeededShuffle(seed: seed)
        shuffle.shuffle(&waiting)
        let after = waiting.map(\.entry.id)
        return before == after ? [] : [.reordered(after)]
    }

    private func index(at place: QueuePlace) throws(PartyRefusal) -> Int {
        switch place {
        case .first: 0
        case .last: waiting.count
        case .before(let id): try requirePlace(of: id)
        case .after(let id): try requirePlace(of: id) + 1
        }
    }

    func id(before index: Int) -> QueueEntryID? { index > 0 ? waiting[index - 1].entry.id : nil }
}
