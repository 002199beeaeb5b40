internal import SonaAudio
internal import SonaRooms
internal import SonaWire

/// The track that a room plays by itself: its file, and how far it was sent.
struct PlayingTrack {
    let entry: QueueEntryID
    /// Number of the play in the room's queue.
    let play: Int64
    let music: MusicID
    /// As the room is told of it.
    let told: Track
    let file: OpusTrackFile
    /// As in `LoadedTrack`.
    let gain: Int?
    /// The epoch of the packets, and when its first sample sounds, µs.
    var epoch: UInt16 = 0
    var startsAt: Int64 = 0
    /// The place of the epoch's first packet in the file, and what of it is not heard, samples.
    private(set) var origin: Int64 = 0
    private(set) var preSkip: Int64 = 0
    /// When there is something to do next, µs.
    var dueAt: Int64 = 0
    private var block: OpusTrackFile.Block?
    private var following: OpusTrackFile.Block?
    /// Number of the next packet in the file.
    private(set) var next = 0
    private(set) var sequence: UInt32 = 0
    /// The reading whose block is awaited. A block of an earlier one is of another place.
    private(set) var reading = 0
    var isReading = false
    /// The queue knows that it sounds.
    var isTold = false
    /// The queue was told that it is over; its last packets are still to be sent.
    var isEnding = false

    /// What one reading brings, samples: a second.
    static let blockSamples: Int64 = 48_000

    /// - Parameter track: What is told of it. A jingle's entry and play are those that it comes before.
    init(entry: QueueEntryID, play: Int64, music: MusicID, _ track: Track, _ loaded: LoadedTrack) {
        self.entry = entry
        self.play = play
        self.music = music
        var told = track
        told.durationMicroseconds = Timeline.microseconds(loaded.file.durationSamples)
        // A jingle is nothing to like, to save, or to count as played.
        told.music = track.isJingle ? nil : music
        self.told = told
        file = loaded.file
        gain = loaded.gain
    }

    var isJingle: Bool { told.isJingle }
    /// All of it was sent.
    var isEnded: Bool { next >= file.packetCount }
    /// Samples that are still to be sent.
    var left: Int64 { isEnded ? 0 : file.samples - file.start(of: next) }

    /// When the sound ends that was sent, if nothing has moved it, µs.
    var edge: Int64 {
        let sent = isEnded ? file.samples : file.start(of: next)
        return startsAt + Timeline.microseconds(max(0, sent - origin - preSkip))
    }

    /// Goes to a packet, from which an epoch begins that is heard from a sample on.
    mutating func move(to packet: Int, hearing sample: Int64, _ first: OpusTrackFile.Block?) {
        next = packet
        preSkip = sample - file.start(of: packet)
        dueAt = 0
        origin = file.start(of: packet)
        sequence = 0
        block = first.flatMap { $0.first == packet ? $0 : nil }
        following = nil
        reading += 1
        isReading = false
        isTold = false
        isEnding = false
    }

    /// The packet from which the next block is to be read; `nil` if enough is there.
    var wanted: Int? {
        guard !isReading, following == nil else { return nil }
        let end = block.map { $0.first + $0.packets.count } ?? next
        return end < file.packetCount ? end : nil
    }

    /// - Parameter number: Of the reading that brought it.
    mutating func take(_ read: OpusTrackFile.Block, _ number: Int) {
        guard number == reading else { return }
        isReading = false
        if block == nil, read.first == next { block = read } else { following = read }
    }

    /// Hands out the next packet, if it was read.
    ///
    /// - Parameter body: Takes its header and its bytes.
    /// - Returns: Whether there was one.
    mutating func send(_ body: (AudioUp, UnsafeRawBufferPointer) -> Void) -> Bool {
        if block == nil || next - (block?.first ?? 0) >= block?.packets.count ?? 0 {
            block = following
            following = nil
        }
        guard let block, next >= block.first, next - block.first < block.packets.count else { return false }
        let packet = block.packets[next - block.first]
        let header = AudioUp(
            flags: next + 1 == file.packetCount ? .last : [], epoch: epoch, sequence: sequence,
            samplePosition: file.start(of: next) - origin, samples: UInt32(packet.samples))
        block.bytes.withUnsafeBytes { body(header, UnsafeRawBufferPointer(rebasing: $0[packet.bytes])) }
        next += 1
        sequence &+= 1
        return true
    }
}
