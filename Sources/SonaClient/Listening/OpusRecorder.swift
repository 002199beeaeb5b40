package import SonaAudio
package import SonaWire

/// Turns what a listener receives into an Ogg Opus file: packets in, bytes to append out. Pure.
///
/// States of the logical stream under way:
/// - *gathering*: packets that are decoded only (PREROLL, or sounding before the epoch's `start_us`) are held until
///   the first audible one, because the head that precedes them tells how many samples to skip.
/// - *writing*: each packet becomes a page, one packet late, so that a process that is killed leaves a playable file.
///
/// A packet begins a new, chained stream if it carries DISCONTINUITY, if its epoch does not continue the one before,
/// or if the number of channels or the gain changes. Times at which the room stood still take no place in the file.
///
/// Source: RFC 7845 §4 (granule positions, pre-skip, end trimming), §3 (chaining); Protocol/spec/audio.md.
package struct OpusRecorder: Sendable {
    /// Server time at which the first audible sample of the file sounds, µs; nil until there is one.
    package private(set) var firstSampleMicroseconds: Int64?
    /// Logical streams begun in the file.
    package private(set) var streamCount = 0

    private struct Announcement {
        var stream: StreamInfo
        var track: Track?
    }

    private struct Held {
        var packet: AudioPacket
        /// Samples that a decoder makes of it.
        var decoded: Int
    }

    /// The epochs heard of, newest last. Packets of one are on their way while the next is announced.
    private var announced: [Announcement] = []
    /// The epoch of the last packet.
    private var current: StreamInfo?
    private var writer: OggOpusWriter?
    private var held: [Held] = []
    private var nextSerial: UInt32
    /// Whether the heads of the file ask for the gain of each epoch.
    private let isLevelled: Bool

    /// Largest pre-skip a head can name, samples (RFC 7845 §5.1).
    private static let preSkipMax = 65_535

    /// - Parameters:
    ///   - serial: Identifies the first stream in the file; chained ones count on from there.
    ///   - isLevelled: Whether the heads of the file ask for the gain of each epoch.
    package init(serial: UInt32 = .random(in: .min ... .max), isLevelled: Bool = true) {
        nextSerial = serial
        self.isLevelled = isLevelled
    }

    /// Says what an epoch is. To be called before its packets: with the snapshot and at each `stream.started`.
    package mutating func announce(_ stream: StreamInfo, track: Track?) {
        announced.removeAll { $0.stream.epoch == stream.epoch }
        announced.append(Announcement(stream: stream, track: track))
        if announced.count > 8 { announced.removeFirst() }
    }

    /// Takes a packet, in the order of the sequence numbers and none twice.
    ///
    /// - Returns: Bytes to append to the file.
    /// - Throws: `.badPacket` if it is no Opus packet, or its `samples` are more than it holds.
    package mutating func take(_ packet: AudioPacket) throws(AudioError) -> [UInt8] {
        let inspected = try OpusPacket(inspecting: packet.bytes)
        let stream = announced.last { $0.stream.epoch == packet.header.epoch }?.stream ?? unannounced(packet, inspected)
        var bytes: [UInt8] = []
        if beginsStream(packet.header, stream) {
            bytes += endStream()
            held = []
        }
        current = stream
        if writer != nil { return bytes + (try write(packet)) }

        let skipped = Self.skippedSamples(packet.header, stream, decoded: inspected.samples)
        guard skipped < inspected.samples else {
            held.append(Held(packet: packet, decoded: inspected.samples))
            while held.reduce(0, { $0 + $1.decoded }) > Self.preSkipMax - OpusPacket.samplesMax { held.removeFirst() }
            return bytes
        }
        let preSkip = held.reduce(skipped) { $0 + $1.decoded }
        bytes += try beginStream(stream, preSkip: preSkip)
        if firstSampleMicroseconds == nil {
            firstSampleMicroseconds = packet.header.playAtMicroseconds + Int64(skipped) * 125 / 6
        }
        return bytes + (try write(packet))
    }

    /// Ends the file.
    package mutating func finish() -> [UInt8] {
        held = []
        return endStream()
    }

    // MARK: Streams

    private func beginsStream(_ header: AudioDown, _ stream: StreamInfo) -> Bool {
        guard let current else { return true }
        if header.flags.contains(.discontinuity) || stream.channels != current.channels { return true }
        if isLevelled, stream.gain != current.gain { return true }
        return stream.epoch != current.epoch && !stream.continues
    }

    /// Assumes an epoch that was not announced, from its packet.
    private func unannounced(_ packet: AudioPacket, _ inspected: OpusPacket) -> StreamInfo {
        if let current, current.epoch == packet.header.epoch { return current }
        // Most likely it is like the one that was announced; packets themselves may be mono in a stereo stream.
        let channels = announced.last?.stream.channels ?? (inspected.isStereo ? 2 : 1)
        return StreamInfo(
            epoch: packet.header.epoch, channels: channels, preSkip: 0,
            startMicroseconds: packet.header.playAtMicroseconds, continues: false)
    }

    /// Decoded samples at the front of a packet that are not to be heard; all of them for a packet to decode only.
    private static func skippedSamples(_ header: AudioDown, _ stream: StreamInfo, decoded: Int) -> Int {
        guard !header.flags.contains(.preroll) else { return decoded }
        let (early, overflow) = stream.startMicroseconds.subtractingReportingOverflow(header.playAtMicroseconds)
        guard !overflow, early > 0 else { return 0 }
        // Times are rounded to microseconds, samples are not: the nearest one is meant.
        let (product, isFar) = early.multipliedReportingOverflow(by: 48)
        guard !isFar else { return decoded }
        return min(decoded, Int(clamping: (product + 500) / 1000))
    }

    private mutating func beginStream(_ stream: StreamInfo, preSkip: Int) throws(AudioError) -> [UInt8] {
        let track = announced.last { $0.stream.epoch == stream.epoch }?.track
        let gain = isLevelled ? stream.gain ?? 0 : 0
        let head = OpusHead(channels: stream.channels, preSkip: preSkip, outputGain: gain * 256 / 100)
        var writer = OggOpusWriter(head: head, tags: OpusTags(track), serial: nextSerial)
        nextSerial &+= 1
        streamCount += 1
        var bytes = writer.headerPages()
        for one in held {
            bytes += try writer.write(packet: one.packet.bytes, samples: one.decoded, flush: true)
        }
        held = []
        self.writer = writer
        return bytes
    }

    private mutating func write(_ packet: AudioPacket) throws(AudioError) -> [UInt8] {
        let samples = Int(packet.header.samples)
        return try writer?.write(packet: packet.bytes, samples: samples, flush: true) ?? []
    }

    private mutating func endStream() -> [UInt8] {
        let bytes = writer?.finish() ?? []
        writer = nil
        return bytes
    }
}

extension OpusTags {
    fileprivate init(_ track: Track?) {
        let fields = [("TITLE", track?.title), ("ARTIST", track?.artist), ("ALBUM", track?.album)]
        self.init(
            vendor: "Sona",
            comments: fields.compactMap { key, value in value.flatMap { $0.isEmpty ? nil : "\(key)=\($0)" } })
    }
}
