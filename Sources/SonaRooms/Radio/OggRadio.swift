internal import SonaAudio
package import SonaWire

/// A room's packets as one Ogg Opus stream without an end, for players that know nothing of rooms.
///
/// The packets are the room's own. Each track, and each epoch, is a logical stream of its own with its tags; one follows the
/// other in a chain (RFC 7845 §7). Where the sound goes on over such a boundary, the last packets before it are repeated as
/// pre-roll that is not heard: a decoder begins anew there. Where the room is silent, silent packets keep its time.
///
/// A state machine: packets and times in, pieces of the byte stream out. O(packet).
package struct OggRadio: Sendable {
    /// What a player shows: the comments of a logical stream.
    package struct Title: Sendable, Equatable {
        package var title: String
        package var artist: String?
        package var album: String?

        package init(title: String, artist: String? = nil, album: String? = nil) {
            self.title = title
            self.artist = artist
            self.album = album
        }

        /// - Parameter room: What stands in place of a track's title where there is none.
        package init(_ track: Track?, room: String) {
            self.init(title: track?.title ?? room, artist: track?.artist, album: track?.album)
        }

        /// As ICY says it: `Artist - Title`.
        package var line: String { artist.map { "\($0) - \(title)" } ?? title }
    }

    /// A part of the byte stream: the headers of a logical stream, or a page of sound.
    package struct Piece: Sendable, Equatable {
        package var bytes: [UInt8]
        /// Packets in it.
        package var packets: Int
        /// Samples of sound in it.
        package var samples: Int
    }

    private struct Held {
        var piece: Piece
        /// Headers that come before it for somebody who begins with it; `nil` if it is such headers itself.
        var headers: [UInt8]?
    }

    private struct Chain {
        var writer: OggOpusWriter
        var title: Title
        var epoch: UInt16
        var gain: Int
        var channels: Int
        /// For somebody who comes in in the middle.
        var headers: [UInt8]
        var packets = 0
        var samples = 0
        var pageSamples = 0
    }

    private let vendor: String
    private let comments: [String]
    private var serial: UInt32
    private var chain: Chain?
    /// The newest packets, as many as a decoder needs to settle.
    private var last: [(packet: [UInt8], samples: Int)] = []
    private var held: [Held] = []
    private var heldSamples = 0
    /// Server time at which what was sent has sounded, µs.
    package private(set) var edge: Int64?
    /// Samples that are kept for those who come in.
    private let burstSamples: Int

    /// A decoder has settled after 80 ms (RFC 7845 §4.6).
    private static let prerollSamples = 3_840
    /// A page ends after 100 ms. A shorter page costs more for each listener, a longer one delays what is heard.
    private static let pageSamples = 4_800
    private static let packetSamples = 960
    /// Silence is added in place of what the host did not send, up to this, µs.
    private static let gapMax: Int64 = 10_000_000
    private static let packetMicroseconds: Int64 = 20_000

    /// - Parameters:
    ///   - serial: Number of the first logical stream; the next have the numbers after it.
    ///   - comments: Stand in every logical stream, as `NAME=value`.
    ///   - burstMicroseconds: How much sound is kept for those who come in.
    package init(vendor: String, comments: [String] = [], serial: UInt32, burstMicroseconds: Int64) {
        self.vendor = vendor
        self.comments = comments
        self.serial = serial
        burstSamples = Int(burstMicroseconds * 48 / 1_000)
    }

    // MARK: In

    /// Takes a packet of the room.
    ///
    /// - Parameters:
    ///   - info: The epoch of the packet.
    ///   - title: Of the track that it belongs to.
    /// - Returns: What is to be sent now.
    package mutating func take(_ chunk: AudioChunk, _ info: StreamInfo, title: Title) -> [Piece] {
        var pieces: [Piece] = []
        let duration = (try? OpusPacket(inspecting: chunk.packet).samples) ?? 0
        guard duration > 0 else { return [] }
        let start = chunk.header.playAtMicroseconds
        if let edge, start - edge >= Self.packetMicroseconds, start - edge <= Self.gapMax {
            pieces += fill(to: start, title: chain?.title ?? title)
        }
        let gain = Self.headGain(info)
        let isNew = chain.map { $0.epoch != info.epoch || $0.title != title || $0.channels != info.channels } ?? true
        if isNew {
            let begins = chain?.epoch != info.epoch
            let resets = chunk.header.flags.contains(.discontinuity) || chain?.channels != info.channels
            let preSkip = begins ? max(0, info.preSkip) : 0
            // Samples before the epoch's first audible one are left out by the pre-skip, which counts from its start.
            let isMiddle = begins && start >= info.startMicroseconds
            let needsPreroll = !resets && preSkip < Self.prerollSamples
            let preroll = needsPreroll ? last : []
            // Without packets before it, the middle of an epoch is heard once a decoder has settled.
            let unsettled = isMiddle && needsPreroll && preroll.isEmpty ? Self.prerollSamples : 0
            begin(
                title, epoch: info.epoch, channels: info.channels, gain: gain,
                preSkip: (isMiddle ? unsettled : preSkip) + preroll.reduce(0) { $0 + $1.samples }, &pieces)
            for packet in preroll { write(packet.packet, samples: packet.samples, &pieces) }
        }
        write(chunk.packet, samples: min(duration, Int(chunk.header.samples)), &pieces)
        edge = max(edge ?? chunk.end, chunk.end)
        return pieces
    }

    /// Silence until a moment at which no packet has come. Not before the first packet, unless `title` is to be shown.
    ///
    /// - Parameter time: µs.
    package mutating func fill(to time: Int64, title: Title) -> [Piece] {
        var pieces: [Piece] = []
        var now = edge ?? time - Self.packetMicroseconds * 5
        if time - now > Self.gapMax { now = time - Self.gapMax }
        guard time - now >= Self.packetMicroseconds else { return [] }
        let channels = chain?.channels ?? 2
        if chain?.title != title {
            begin(title, epoch: chain?.epoch ?? 0, channels: channels, gain: chain?.gain ?? 0, preSkip: 0, &pieces)
        }
        while time - now >= Self.packetMicroseconds {
            write(Self.silence(channels: channels), samples: Self.packetSamples, &pieces)
            now += Self.packetMicroseconds
        }
        edge = now
        return pieces
    }

    /// Ends the stream.
    package mutating func end() -> [Piece] {
        var pieces: [Piece] = []
        finish(&pieces)
        return pieces
    }

    // MARK: Out

    /// What somebody who comes in now is sent first: headers, and the newest sound.
    package var burst: [UInt8] {
        guard let first = held.first else { return chain?.headers ?? [] }
        return (first.headers ?? []) + held.flatMap(\.piece.bytes)
    }

    /// Packets in `burst`.
    package var burstPackets: Int { held.reduce(0) { $0 + $1.piece.packets } }

    // MARK: Logical streams

    private mutating func begin(
        _ title: Title, epoch: UInt16, channels: Int, gain: Int, preSkip: Int, _ pieces: inout [Piece]
    ) {
        finish(&pieces)
        let tags = OpusTags(vendor: vendor, comments: Self.comments(title) + comments)
        let head = OpusHead(channels: channels, preSkip: preSkip, outputGain: gain)
        var writer = OggOpusWriter(head: head, tags: tags, serial: serial)
        var middle = head
        middle.preSkip = Self.prerollSamples
        var copy = OggOpusWriter(head: middle, tags: tags, serial: serial)
        serial &+= 1
        let headers = writer.headerPages()
        chain = Chain(
            writer: writer, title: title, epoch: epoch, gain: gain, channels: channels, headers: copy.headerPages())
        emit(Piece(bytes: headers, packets: 0, samples: 0), isHeaders: true, &pieces)
    }

    private mutating func finish(_ pieces: inout [Piece]) {
        guard var chain else { return }
        let bytes = chain.writer.finish()
        self.chain = chain
        emit(Piece(bytes: bytes, packets: chain.packets, samples: chain.samples), isHeaders: false, &pieces)
        self.chain = nil
    }

    private mutating func write(_ packet: [UInt8], samples: Int, _ pieces: inout [Piece]) {
        guard var chain else { return }
        // A full page goes out with this packet, which begins the next.
        let before = chain.pageSamples >= Self.pageSamples ? 0 : chain.pageSamples
        let isFull = before + samples >= Self.pageSamples
        let written = (try? chain.writer.write(packet: packet, samples: samples, flush: isFull)) ?? []
        let piece = written.isEmpty ? nil : Piece(bytes: written, packets: chain.packets, samples: chain.samples)
        // What came out holds what was in before this packet.
        if piece != nil { (chain.packets, chain.samples, chain.pageSamples) = (0, 0, 0) }
        chain.packets += 1
        chain.samples += samples
        chain.pageSamples += samples
        self.chain = chain
        if let piece { emit(piece, isHeaders: false, &pieces) }
        // A repeated packet sounds in full, though it was shortened where it stood last.
        last.append((packet, (try? OpusPacket(inspecting: packet).samples) ?? samples))
        while last.count > 1, last.dropFirst().reduce(0, { $0 + $1.samples }) >= Self.prerollSamples {
            last.removeFirst()
        }
    }

    private mutating func emit(_ piece: Piece, isHeaders: Bool, _ pieces: inout [Piece]) {
        pieces.append(piece)
        held.append(Held(piece: piece, headers: isHeaders ? nil : chain?.headers))
        heldSamples += piece.samples
        while let first = held.first, heldSamples - first.piece.samples >= burstSamples, held.count > 1 {
            heldSamples -= first.piece.samples
            held.removeFirst()
        }
        // Headers alone are not kept without the sound that follows them.
        while held.count > 1, held[0].headers == nil, held[1].headers == nil { held.removeFirst() }
    }

    private static func comments(_ title: Title) -> [String] {
        ["TITLE=\(title.title)"] + (title.artist.map { ["ARTIST=\($0)"] } ?? [])
            + (title.album.map { ["ALBUM=\($0)"] } ?? [])
    }

    /// The epoch's gain as every player applies it: Q7.8 decibels in the head (RFC 7845 §5.1).
    private static func headGain(_ info: StreamInfo) -> Int {
        Int((Double(info.gain ?? 0) * 2.56).rounded())
    }

    /// One packet of 20 ms that decodes to silence: CELT at full band, in which no band has energy (RFC 6716 §4.3).
    private static func silence(channels: Int) -> [UInt8] { [channels == 1 ? 0xF8 : 0xFC, 0xFF, 0xFE] }
}
