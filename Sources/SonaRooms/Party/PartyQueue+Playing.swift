internal import SonaWire

/// Playing entries, choosing the next one, and going back.
extension PartyQueue {
    /// The waiting entries, in the order in which they will play if nothing else happens and nothing repeats.
    ///
    /// O(entries × people) with order by votes, at most 250 000 small steps.
    package var order: [QueueEntryID] {
        guard rules.ordering == .votes else { return waiting.map(\.entry.id) }
        var rotation = rotation
        var order = waiting.filter(\.isRecalled).map { entry in
            rotation.record(entry.entry.suggestedBy)
            return entry.entry.id
        }
        while let turn = rotation.next() { order.append(waiting[turn.place].entry.id) }
        return order
    }

    private var rotation: Rotation {
        Rotation(waiting, round: round, recent: history.map(\.suggestedBy), rules: rules)
    }

    // MARK: Commands

    mutating func setRepeat(_ mode: RepeatMode) -> [PartyEvent] {
        guard mode != repeatMode else { return [] }
        repeatMode = mode
        return [.repeatChanged(mode)]
    }

    mutating func goOn(from id: QueueEntryID?) throws(PartyRefusal) -> [PartyEvent] {
        if let id, playing?.entry.id != id { throw PartyRefusal(.unknownEntry) }
        guard playing != nil || !waiting.isEmpty else { throw PartyRefusal(.empty) }
        return advance(repeats: true)
    }

    mutating func goBack() throws(PartyRefusal) -> [PartyEvent] {
        guard let last = past.popLast() else { throw PartyRefusal(.empty) }
        let interrupted = playing?.entry
        var events = begin(last.entry)
        if let copy = last.requeuedAs, let place = place(of: copy) {
            waiting.remove(at: place)
            events.append(.removed([copy], .recalled))
        }
        if var entry = interrupted {
            entry.upvotes = 0
            entry.downvotes = 0
            waiting.insert(Waiting(entry: entry, isRecalled: true), at: 0)
            events.append(.added([entry], after: nil))
        }
        return events
    }

    mutating func start(_ id: QueueEntryID) throws(PartyRefusal) -> [PartyEvent] {
        if var current = playing, current.entry.id == id {
            guard current.startedMilliseconds == nil else { return [] }
            current.startedMilliseconds = clock
            playing = current
            return [.now(current)]
        }
        let chosen = waiting.remove(at: try requirePlace(of: id)).entry
        // The host chose an entry of this person, which counts as their turn.
        round.remove(chosen.suggestedBy)
        return end(repeats: true) + begin(chosen, started: clock)
    }

    mutating func finish(_ id: QueueEntryID) throws(PartyRefusal) -> [PartyEvent] {
        guard let entry = playing?.entry, entry.id == id else { throw PartyRefusal(.unknownEntry) }
        return repeatMode == .one ? begin(entry) : advance(repeats: true)
    }

    // MARK: From one to the next

    /// - Parameter repeats: Whether the playing entry comes again in repeat mode `all`; an entry that was voted out
    ///   does not.
    mutating func advance(repeats: Bool) -> [PartyEvent] {
        let events = end(repeats: repeats)
        return events + begin(takeNext())
    }

    private mutating func end(repeats: Bool) -> [PartyEvent] {
        guard let entry = playing?.entry else { return [] }
        playing = nil
        var copy: QueueEntry?
        if repeats, repeatMode == .all, nextID < Limits.integerMax {
            copy = QueueEntry(
                id: makeID(), reference: entry.reference, suggestedBy: entry.suggestedBy, addedMilliseconds: clock,
                approval: .approved)
        }
        past.append(Past(entry: entry, requeuedAs: copy?.id))
        past.removeFirst(max(0, past.count - Self.pastMax))
        guard let copy else { return [] }
        waiting.append(Waiting(entry: copy))
        return [.added([copy], after: id(before: waiting.count - 1))]
    }

    private mutating func begin(_ entry: QueueEntry?, started: Int64? = nil) -> [PartyEvent] {
        skippers = []
        playing = entry.map { entry in
            playCount = min(playCount + 1, Limits.integerMax)
            return NowPlaying(entry: entry, play: playCount, startedMilliseconds: started)
        }
        if let entry {
            history.append(
                Play(
                    number: playCount, suggestedBy: entry.suggestedBy, keys: entry.reference.keys,
                    milliseconds: clock))
            history.removeFirst(max(0, history.count - Self.historyMax))
            var bytes = history.reduce(0) { $0 + $1.bytes }
            let excess = history.prefix { play in
                defer { bytes -= play.bytes }
                return bytes > Self.historyBytesMax
            }
            history.removeFirst(excess.count)
        }
        return [.now(playing)]
    }

    private mutating func takeNext() -> QueueEntry? {
        guard rules.ordering == .votes else { return waiting.isEmpty ? nil : waiting.removeFirst().entry }
        if let place = waiting.firstIndex(where: \.isRecalled) { return waiting.remove(at: place).entry }
        var rotation = rotation
        guard let turn = rotation.next() else { return nil }
        round = rotation.round
        for place in turn.passedOver { waiting[place].passedOver += 1 }
        return waiting.remove(at: turn.place).entry
    }
}
