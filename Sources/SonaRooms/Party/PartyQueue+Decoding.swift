package import SonaWire

/// Reads the queue from its rows, or from the single text that earlier versions wrote.
extension PartyQueue {
    /// Reads a stored queue and validates it: identifiers are used once, numbers are in range, and no limit is
    /// exceeded.
    ///
    /// - Throws: `PartyStateError`, naming the first fault as if all rows stood in lists of the state. Its `field` is
    ///   empty if the state is not JSON.
    package init(stored rows: QueueRows) throws(PartyStateError) { try self.init(stored: try rows.joined()) }

    package init(stored json: JSON) throws(PartyStateError) {
        let stored = try StoredObject(json)
        guard try stored.integer("format") <= Self.format else {
            throw stored.error("format", "is newer than this version")
        }
        self.init(rules: try stored.objectIfPresent("rules").map(QueueRules.init) ?? QueueRules())
        clock = try stored.integer("clock_ms")
        nextID = try stored.integer("next_id", in: 1...Limits.integerMax)
        playCount = try stored.integer("play_count")
        activeListeners = try stored.count("active_listeners", default: 0)
        repeatMode = try stored.word("repeat", default: .off)
        playing = try stored.objectIfPresent("now").map(NowPlaying.init)
        let entriesMax = QueueRules.entriesRange.upperBound + Self.pastMax
        for object in try stored.objects("waiting", max: entriesMax) { waiting.append(try Waiting(object)) }
        for object in try stored.objects("pending", max: entriesMax) {
            pending.append(try QueueEntry(object, .pending))
        }
        for object in try stored.objects("past", max: Self.pastMax) { past.append(try Past(object)) }
        let plays = try stored.objects("history", max: Self.historyMax)
        for (index, object) in plays.enumerated() {
            history.append(try Play(object, number: playCount - Int64(plays.count - 1 - index)))
        }
        round = try stored.users("round", max: entriesMax)
        skippers = try stored.users("skip", max: QueueRules.skipVotesMax)
        for object in try stored.objects("departed", max: Self.votesMax + QueueRules.skipVotesMax) {
            departed[try object.user("user")] = try object.integer("left_ms", in: 0...clock)
        }
        try check(stored)
    }

    private func check(_ stored: StoredObject) throws(PartyStateError) {
        var known: Set<QueueEntryID> = []
        let entries = waitingEntries + pending + past.map(\.entry) + (playing.map { [$0.entry] } ?? [])
        for entry in entries {
            guard entry.id.rawValue < nextID else { throw stored.error("next_id", "has been given to \(entry.id)") }
            guard known.insert(entry.id).inserted else { throw stored.error("waiting", "\(entry.id) occurs twice") }
        }
        guard voteCount <= Self.votesMax else { throw stored.error("waiting", "holds too many votes") }
        guard history.allSatisfy({ $0.milliseconds <= clock }) else {
            throw stored.error("history", "is ahead of the clock")
        }
        guard zip(history, history.dropFirst()).allSatisfy({ $0.number < $1.number }),
            history.last.map({ $0.number <= playCount }) ?? true
        else { throw stored.error("history", "has numbers that do not rise to play_count") }
        guard playing != nil || skippers.isEmpty else { throw stored.error("skip", "is about nothing") }
    }
}

extension QueueRules {
    init(_ stored: StoredObject) throws(PartyStateError) {
        do throws(WireError) { try self.init(stored.json) } catch {
            throw stored.error(error.field ?? "", "is not a rule, or out of its range")
        }
    }
}

extension QueueEntry {
    fileprivate init(_ stored: StoredObject, _ approval: Approval) throws(PartyStateError) {
        let track = Track(
            title: try stored.stringIfPresent("title"), artist: try stored.stringIfPresent("artist"),
            album: try stored.stringIfPresent("album"),
            durationMicroseconds: try stored.integerIfPresent("duration_us"),
            artwork: try stored.stringIfPresent("artwork"),
            music: try stored.stringIfPresent("music").flatMap { MusicID($0) })
        do {
            reference = try TrackReference(track, source: try stored.stringIfPresent("source"))
        } catch let error as PartyStateError {
            throw error
        } catch {
            throw PartyStateError(field: stored.path, reason: "is no track")
        }
        id = QueueEntryID(try stored.integer("id", in: 1...Limits.integerMax))
        suggestedBy = try stored.user("suggested_by")
        addedMilliseconds = try stored.integer("added_ms")
        self.approval = approval
        upvotes = try stored.count("upvotes", default: 0)
        downvotes = try stored.count("downvotes", default: 0)
    }
}

extension NowPlaying {
    fileprivate init(_ stored: StoredObject) throws(PartyStateError) {
        entry = try QueueEntry(stored, .approved)
        play = try stored.integer("play")
        startedMilliseconds = try stored.integerIfPresent("started_ms")
    }
}

extension PartyQueue.Waiting {
    fileprivate init(_ stored: StoredObject) throws(PartyStateError) {
        self.init(entry: try QueueEntry(stored, .approved))
        entry.upvotes = 0
        entry.downvotes = 0
        for user in try stored.users("up", max: PartyQueue.votesMax) { cast(.up, by: user) }
        for user in try stored.users("down", max: PartyQueue.votesMax) {
            guard ballots[user] == nil else { throw stored.error("down", "holds somebody who voted up") }
            cast(.down, by: user)
        }
        passedOver = try stored.count("passed_over", default: 0)
        isRecalled = try stored.bool("recalled", default: false)
    }
}

extension PartyQueue.Past {
    fileprivate init(_ stored: StoredObject) throws(PartyStateError) {
        entry = try QueueEntry(stored, .approved)
        requeuedAs = try stored.integerIfPresent("requeued_as").map(QueueEntryID.init)
    }
}

extension PartyQueue.Play {
    /// - Parameter number: The number of the play if the text does not say it, as in format 1.
    fileprivate init(_ stored: StoredObject, number: Int64) throws(PartyStateError) {
        self.number = try stored.integerIfPresent("number") ?? number
        suggestedBy = try stored.user("suggested_by")
        milliseconds = try stored.integer("at_ms")
        keys = try stored.strings("keys", max: 2)
    }
}
