internal import SonaWire

/// The stored form of a queue, as JSON texts: see `QueueRows` for their rows.
///
/// The same queue gives the same bytes. Times are wall time in ms; users are stored by their identifiers. `format`
/// rises when an older version could misunderstand what a newer one writes, and not when fields are added.
extension PartyQueue {
    /// 1: the whole queue is one text. 2: entries, plays and votes have rows of their own.
    static let format: Int64 = 2

    /// The part of the queue that has no row of its own.
    var stateText: String {
        JSONWriter.text(reserving: 1024) { writer in
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
            writer.member("round", Self.sorted(round))
            writer.key("departed")
            writer.beginArray()
            for (user, left) in departed.map({ ($0.key.rawValue, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
                writer.object { writer in
                    writer.member("user", user)
                    writer.member("left_ms", left)
                }
            }
            writer.endArray()
        }
    }

    private static func sorted(_ users: some Sequence<UserID>) -> [String] { users.map(\.rawValue).sorted() }
}

extension JSONWriter {
    fileprivate static func text(reserving bytes: Int = 512, _ members: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(reserving: bytes)
        writer.object(members)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension QueueEntry {
    /// The text of a pending entry.
    var text: String { JSONWriter.text { encodeMembers(into: &$0) } }

    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("title", ifPresent: reference.track.title)
        writer.member("artist", ifPresent: reference.track.artist)
        writer.member("album", ifPresent: reference.track.album)
        writer.member("duration_us", ifPresent: reference.track.durationMicroseconds)
        writer.member("artwork", ifPresent: reference.track.artwork)
        writer.member("music", ifPresent: reference.track.music?.rawValue)
        writer.member("source", ifPresent: reference.source?.text)
        writer.member("suggested_by", suggestedBy.rawValue)
        writer.member("added_ms", addedMilliseconds)
    }

    /// Votes as mere numbers, because the vote is over.
    fileprivate func encodeTally(into writer: inout JSONWriter) {
        writer.member("upvotes", upvotes)
        writer.member("downvotes", downvotes)
    }
}

extension NowPlaying {
    fileprivate func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", entry.id.rawValue)
            entry.encodeMembers(into: &writer)
            entry.encodeTally(into: &writer)
            writer.member("play", play)
            writer.member("started_ms", ifPresent: startedMilliseconds)
        }
    }
}

extension PartyQueue.Waiting {
    var text: String {
        JSONWriter.text { writer in
            entry.encodeMembers(into: &writer)
            if passedOver > 0 { writer.member("passed_over", passedOver) }
            if isRecalled { writer.member("recalled", true) }
        }
    }
}

extension PartyQueue.Past {
    var text: String {
        JSONWriter.text { writer in
            entry.encodeMembers(into: &writer)
            entry.encodeTally(into: &writer)
            writer.member("requeued_as", ifPresent: requeuedAs?.rawValue)
        }
    }
}

extension PartyQueue.Play {
    var text: String {
        JSONWriter.text { writer in
            writer.member("suggested_by", suggestedBy.rawValue)
            writer.member("at_ms", milliseconds)
            writer.member("keys", keys)
        }
    }
}
