package import SonaWire

/// The playback of a room, now and shortly, put together from snapshots and POSITION frames.
///
/// The playback in force is the one with the highest revision among those whose anchor has passed. So a playback
/// anchored in the future waits for its time, a newer one that takes force no later replaces it, and hearing the same
/// twice changes nothing. Revisions wrap and are compared as serial numbers (RFC 1982).
///
/// Source: Protocol/spec/playback.md.
package struct PlaybackView: Sendable, Equatable {
    /// The known playbacks by revision, oldest first. The first is in force unless a later one's anchor has passed;
    /// never empty.
    private var known: [Playback]

    /// Most that are kept; a server that announces more loses the oldest.
    private static let countMax = 16

    package init(_ playback: Playback, upcoming: [Playback] = []) {
        known = [playback]
        for next in upcoming { insert(next) }
    }

    /// Takes in a playback at the server time `now`, µs.
    package mutating func apply(_ playback: Playback, now: Int64) {
        // An older one than the newest known is an echo from the past.
        guard let newest = known.last, !Self.isNewer(newest.revision, than: playback.revision) else { return }
        insert(playback)
        prune(now: now)
    }

    private mutating func insert(_ playback: Playback) {
        if let same = known.firstIndex(where: { $0.revision == playback.revision }) {
            known[same] = playback
            return
        }
        let place = known.firstIndex { Self.isNewer($0.revision, than: playback.revision) } ?? known.endIndex
        known.insert(playback, at: place)
        if known.count > Self.countMax { known.removeFirst() }
    }

    /// Forgets playbacks that can never be in force again.
    private mutating func prune(now: Int64) {
        let current = playback(at: now)
        let all = known
        known = all.filter { playback in
            if playback.revision == current.revision { return true }
            guard playback.anchorMicroseconds > now, Self.isNewer(playback.revision, than: current.revision) else {
                return false
            }
            // Overtaken by a newer one that comes no later.
            return !all.contains {
                Self.isNewer($0.revision, than: playback.revision)
                    && $0.anchorMicroseconds <= playback.anchorMicroseconds
            }
        }
    }

    /// The playback in force at the server time `now`, µs.
    package func playback(at now: Int64) -> Playback {
        known.last { $0.anchorMicroseconds <= now } ?? known[0]
    }

    /// The playbacks that take force after the server time `now`, soonest first.
    package func upcoming(after now: Int64) -> [Playback] {
        let current = playback(at: now)
        return known.filter { $0.anchorMicroseconds > now && Self.isNewer($0.revision, than: current.revision) }
            .sorted { $0.anchorMicroseconds < $1.anchorMicroseconds }
    }

    /// The place in the track at the server time `now`, both µs.
    package func position(at now: Int64) -> Int64 { playback(at: now).position(at: now) }

    /// The playback that will be in force once everything announced so far has taken effect.
    package var final: Playback { playback(at: .max) }

    private static func isNewer(_ revision: UInt32, than other: UInt32) -> Bool {
        Int32(bitPattern: revision &- other) > 0
    }
}
