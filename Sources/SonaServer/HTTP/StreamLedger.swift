internal import SonaBase
internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// How much of a track each listener was sent, which bounds what they can say they have heard.
///
/// In memory, for as long as the token of a stream lasts: what was sent before the server began does not count. Any thread.
final class StreamLedger: Sendable {
    /// A stream as its listener asks for it.
    enum Key: Hashable, Sendable {
        /// By a token of `track.open`.
        case token(String)
        /// With `Authorization`.
        case account(UserID, MusicID)

    }

    /// The bytes of one representation of a track.
    struct Form: Sendable, Hashable {
        /// The length of the file; `nil` while it is being made.
        var size: Int64?
    }

    private struct Entry {
        let meter: BodyMeter
        var form: Form
        let firstMilliseconds: Int64
        /// The hearing that was reported last, and from when on it may have taken place.
        var hearing: String?
        var sinceMilliseconds: Int64
        var reportedMilliseconds: Int64
    }

    private let entries = Monitor<[Key: Entry]>([:])
    /// Most streams that are remembered; past that those that began first are forgotten.
    private static let countMax = 50_000
    private static let lifeMilliseconds = Int64(Limits.mediaTokenSeconds) * 1_000
    /// The least bytes a millisecond of a rendition whose length is not known yet: 48 kb/s.
    private static let leastRate: Int64 = 6

    /// A meter for the body of an answer, which also counts for the figures.
    ///
    /// - Parameters:
    ///   - parent: The meter of the figures.
    ///   - now: ms since 1970.
    func meter(_ key: Key, _ form: Form, _ parent: BodyMeter, now: Int64) -> BodyMeter {
        entries.withLock { entries in
            if var entry = entries[key] {
                entry.form = Form(size: form.size ?? entry.form.size)
                entries[key] = entry
                return entry.meter
            }
            if entries.count >= Self.countMax { Self.shrink(&entries, now: now) }
            let meter = BodyMeter(parent: parent)
            entries[key] = Entry(
                meter: meter, form: form, firstMilliseconds: now, hearing: nil, sinceMilliseconds: now,
                reportedMilliseconds: now)
            return meter
        }
    }

    private static func shrink(_ entries: inout [Key: Entry], now: Int64) {
        entries = entries.filter { now - $0.value.firstMilliseconds < lifeMilliseconds }
        guard entries.count >= countMax else { return }
        let times = entries.values.map(\.firstMilliseconds).sorted()
        let middle = times[times.count / 2]
        entries = entries.filter { $0.value.firstMilliseconds > middle }
    }

    /// The most that may have been heard of a stream in one hearing, in ms.
    ///
    /// No more than was sent, and no more than the time that has passed: since the first byte was sent, or, for a further
    /// hearing of the same stream, since the last report about the hearing before.
    ///
    /// - Parameters:
    ///   - hearing: The client's name for the hearing.
    ///   - duration: The length of the track in ms; 0 if it is not known.
    /// - Returns: The bound, and the time from which on it may have taken place; `nil` if nothing was sent.
    func bound(
        _ key: Key, hearing: String, duration: Int64, now: Int64
    ) -> (heard: Int64, sinceMilliseconds: Int64)? {
        entries.withLock { entries in
            guard var entry = entries[key] else { return nil }
            let bytes = Int64(clamping: entry.meter.sentBytes)
            guard bytes > 0 else { return nil }
            if entry.hearing != hearing {
                if entry.hearing != nil { entry.sinceMilliseconds = entry.reportedMilliseconds }
                entry.hearing = hearing
            }
            entry.reportedMilliseconds = now
            entries[key] = entry
            var sent = bytes / Self.leastRate
            if let size = entry.form.size, size > 0, duration > 0 {
                let share = min(1, Double(bytes) / Double(size))
                sent = Int64((Double(duration) * share).rounded(.up))
            }
            return (min(sent, max(0, now - entry.sinceMilliseconds)), entry.sinceMilliseconds)
        }
    }

    /// Streams that are remembered.
    var count: Int { entries.withLock { $0.count } }
}
