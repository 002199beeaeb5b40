package import SonaWire

/// The queue as one JSON text, to be stored.
///
/// The same queue gives the same bytes. Wall time in ms, users by their identifiers; `format` rises when an older version
/// could misunderstand what a newer one writes, not when fields are added.
extension PartyQueue {
    static let format: Int64 = 1

    package func encoded() -> [UInt8] {
        var writer = JSONWriter(reserving: 1024 + 512 * entryCount)
        encode(into: &writer)
        return writer.bytes
    }

    package func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("format", Self.format)
            writer.member("clock_ms", clock)
            writer.member("next_id", nextID)
            writer.member("play_count", playCount)
            writer.member("active_listeners", activeListeners)
            writer.member("repeat", repeatMode.rawValue)
            writer.member("rules", rules)
            if let playing {
                writer.key("now")
                playing.encode(into: &writer)
            }
            writer.array("waiting", waiting) { $0.encode(into: &$1) }
            writer.array("pending", pending) { entry, writer in writer.object { entry.encodeMembers(into: &$0) } }
            writer.array("past", past) { $0.encode(into: &$1) }
            writer.array("history", history) { $0.encode(into: &$1) }
            writer.member("round", Self.sorted(round))
            writer.member("skip", Self.sorted(skippers))
            writer.array("departed", Self.sorted(departed.keys)) { user, writer in
                writer.object { writer in
                    writer.member("user", user)
                    writer.member("left_ms", UserID(user).flatMap { departed[$0] } ?? clock)
                }
            }
        }
    }

    static func sorted(_ users: some Sequence<UserID>) -> [String] { users.map(\.rawValue).sorted() }
}

extension JSONWriter {
    fileprivate mutating func array<Element>(
        _ key: StaticString, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
    ) {
        self.key(key)
        beginArray()
        for element in elements { write(element, &self) }
        endArray()
    }
}

extension QueueEntry {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("id", id.rawValue)
        writer.member("title", ifPresent: reference.track.title)
        writer.member("artist", ifPresent: reference.track.artist)
        writer.member("album", ifPresent: reference.track.album)
        writer.member("duration_us", ifPresent: reference.track.durationMicroseconds)
        writer.member("artwork", ifPresent: reference.track.artwork)
        writer.member("source", ifPresent: reference.source?.text)
        writer.member("suggested_by", suggestedBy.rawValue)
        writer.member("added_ms", addedMilliseconds)
    }

    /// Votes that are only numbers, because the vote is over.
    fileprivate func encodeTally(into writer: inout JSONWriter) {
        writer.member("upvotes", upvotes)
        writer.member("downvotes", downvotes)
    }
}

extension NowPlaying {
    fileprivate func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            entry.encodeMembers(into: &writer)
            entry.encodeTally(into: &writer)
            writer.member("play", play)
            writer.member("started_ms", ifPresent: startedMilliseconds)
        }
    }
}

extension PartyQueue.Waiting {
    fileprivate func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            entry.encodeMembers(into: &writer)
            for (key, vote) in [("up", .up), ("down", .down)] as [(StaticString, Vote)] {
                let voters = ballots.lazy.filter { $0.value == vote }.map(\.key)
                if !voters.isEmpty { writer.member(key, PartyQueue.sorted(voters)) }
            }
            if passedOver > 0 { writer.member("passed_over", passedOver) }
            if isRecalled { writer.member("recalled", true) }
        }
    }
}

extension PartyQueue.Past {
    fileprivate func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            entry.encodeMembers(into: &writer)
            entry.encodeTally(into: &writer)
            writer.member("requeued_as", ifPresent: requeuedAs?.rawValue)
        }
    }
}

extension PartyQueue.Play {
    fileprivate func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("suggested_by", suggestedBy.rawValue)
            writer.member("at_ms", milliseconds)
            writer.member("keys", keys)
        }
    }
}
