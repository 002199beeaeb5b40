package import SonaWire

/// What a room has sounded lately: its epochs, playbacks and tracks, for listeners who hear it later than others do.
///
/// It keeps what the room tells its members, by the same rules as they do. Packets are elsewhere: those of the last
/// seconds in the room's ring, those of a track that the server played in its file.
///
/// Source: Protocol/spec/shifting.md.
package struct PastSound<File: Sendable>: Sendable {
    /// An epoch, and the file that its packets come from.
    package struct Epoch: Sendable {
        package var stream: StreamInfo
        /// `nil`: a person hosted it.
        package var file: File?
        /// Number of its first packet.
        package var firstPacket: UInt32
        /// What of the file came before it, samples.
        package var origin: Int64

        package init(stream: StreamInfo, file: File?, firstPacket: UInt32, origin: Int64) {
            self.stream = stream
            self.file = file
            self.firstPacket = firstPacket
            self.origin = origin
        }

        /// When a sample of its file sounds, µs. The samples are counted as the file counts them.
        package func time(ofSample sample: Int64) -> Int64 {
            stream.startMicroseconds + Timeline.microseconds(sample - origin - Int64(stream.preSkip))
        }

        /// The sample of its file that sounds at a server time.
        package func sample(at time: Int64) -> Int64 {
            let samples = Int128(time - stream.startMicroseconds) * Int128(Limits.sampleRate) / 1_000_000
            return origin + Int64(stream.preSkip) + Int64(clamping: samples)
        }
    }

    /// A part of an epoch that was heard, by server times in µs.
    package struct Piece: Sendable {
        package var epoch: Epoch
        package var from: Int64
        package var to: Int64
    }

    package private(set) var epochs: [Epoch] = []
    private var playbacks: [Playback] = []
    private var tracks: [TimedTrack] = []

    /// Most of each that is kept, and a few more.
    package static var countMax: Int { 2_000 }

    /// How far back it reaches from the newest that it was told, µs.
    package var keptMicroseconds: Int64

    package init(keptMicroseconds: Int64) { self.keptMicroseconds = keptMicroseconds }

    // MARK: Telling

    package mutating func begin(_ epoch: Epoch, track: Track?) {
        epochs.append(epoch)
        note(track: track, at: epoch.stream.startMicroseconds)
        Self.prune(&epochs, before: epoch.stream.startMicroseconds - keptMicroseconds) { $0.stream.startMicroseconds }
    }

    package mutating func note(_ playback: Playback) {
        playbacks.removeAll { $0.anchorMicroseconds >= playback.anchorMicroseconds }
        playbacks.append(playback)
        Self.prune(&playbacks, before: playback.anchorMicroseconds - keptMicroseconds, \.anchorMicroseconds)
    }

    package mutating func note(track: Track?, at time: Int64) {
        tracks.removeAll { $0.atMicroseconds >= time }
        tracks.append(TimedTrack(track: track, atMicroseconds: time))
        Self.prune(&tracks, before: time - keptMicroseconds, \.atMicroseconds)
    }

    /// Forgets what is over for too long. What was in force at the oldest time that is kept stays.
    private static func prune<Item>(_ items: inout [Item], before time: Int64, _ begin: (Item) -> Int64) {
        let old = items.prefix { begin($0) < time }.count - 1
        let over = max(old, items.count - countMax)
        // Some at a time: the array is moved then.
        if over >= 16 { items.removeFirst(over) }
    }

    // MARK: Asking

    /// The parts of epochs with a file that were heard within a span, oldest first.
    ///
    /// - Parameter edge: The end of the sound that was sent, µs.
    package func pieces(from: Int64, to: Int64, edge: Int64) -> [Piece] {
        let to = min(to, edge)
        var pieces: [Piece] = []
        for (index, epoch) in epochs.enumerated() where epoch.file != nil && epoch.stream.startMicroseconds < to {
            let end = end(ofEpochAt: index, edge: edge)
            // Before its first sample an epoch has packets that only prepare the decoder.
            if end > from { pieces.append(Piece(epoch: epoch, from: from, to: min(to, end))) }
        }
        return pieces
    }

    /// Where the sound of an epoch ended: at the next one, or where the room paused or fell silent.
    private func end(ofEpochAt index: Int, edge: Int64) -> Int64 {
        let epoch = epochs[index].stream
        let next = index + 1 < epochs.count ? epochs[index + 1].stream.startMicroseconds : edge
        let silent = playbacks.first {
            $0.anchorMicroseconds > epoch.startMicroseconds && $0.state != .playing
        }
        return min(next, silent?.anchorMicroseconds ?? next)
    }

    /// When the oldest epoch with a file began, µs.
    package var filesFrom: Int64? { epochs.first { $0.file != nil }?.stream.startMicroseconds }

    /// The epochs within a span, oldest first.
    package func streams(from: Int64, to: Int64, limit: Int) -> [StreamInfo] {
        // Packets that prepare a decoder come before the start.
        Self.within(epochs.map(\.stream), from: from, to: to + 1_000_000, limit, \.startMicroseconds)
    }

    /// The playbacks in force within a span, oldest first.
    package func playbacks(from: Int64, to: Int64, limit: Int) -> [Playback] {
        Self.within(playbacks, from: from, to: to, limit, \.anchorMicroseconds)
    }

    /// The tracks heard within a span, oldest first.
    package func tracks(from: Int64, to: Int64, limit: Int) -> [TimedTrack] {
        Self.within(tracks, from: from, to: to, limit, \.atMicroseconds)
    }

    private static func within<Item>(
        _ items: [Item], from: Int64, to: Int64, _ limit: Int, _ begin: (Item) -> Int64
    ) -> [Item] {
        let first = items.lastIndex { begin($0) <= from } ?? 0
        return Array(items[first...].prefix { begin($0) < to }.suffix(limit))
    }
}
