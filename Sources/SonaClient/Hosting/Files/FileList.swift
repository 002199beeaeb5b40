package import SonaAudio
package import SonaWire

/// The sound that a host is going to send: the streams of its files, one after the other.
package struct FileList: Sendable {
    /// One logical stream of a file: one track, one epoch if nobody interferes.
    package struct Item: Sendable {
        package var path: String
        package var file: OggOpusFile
        /// Index into `file.streams`.
        package var stream: Int
        package var head: OpusHead
        package var packetCount: Int
        /// Samples at 48 kHz that can be heard; at least 1.
        package var durationSamples: Int
        package var track: Track
        /// The gain that the file asks players to apply, hundredths of dB; `nil` if it asks for none.
        package var gain: Int?

        /// Reads a packet. Blocks for one small read.
        package func packet(_ index: Int) throws(AudioError) -> OggOpusFile.Packet {
            let packet = try file.packet(stream: stream, at: index)
            guard packet.bytes.count <= Limits.packetBytesMax else {
                throw AudioError(
                    .unsupported,
                    "\(path) has a packet of \(packet.bytes.count) bytes; a room takes at most \(Limits.packetBytesMax)."
                )
            }
            return packet
        }
    }

    package var items: [Item]
    /// Whether it begins again after the last item.
    package var isLoop: Bool

    /// Opens and checks every file.
    ///
    /// - Parameter paths: At least one.
    /// - Throws: As `OggOpusFile.init`; `.empty` if nothing in a file can be heard.
    package init(paths: [String], isLoop: Bool) throws(AudioError) {
        try self.init(files: paths.map { File(path: $0) }, isLoop: isLoop)
    }

    /// One Ogg Opus file to be played.
    package struct File: Sendable {
        /// The path that a person knows it by. Its last part is the title of a track without one.
        package var path: String
        /// Where its Ogg Opus is, if not there: it was made of the file at `path`.
        package var opusPath: String?

        package init(path: String, opusPath: String? = nil) {
            self.path = path
            self.opusPath = opusPath
        }
    }

    /// Opens and checks every file, as `init(paths:isLoop:)`.
    package init(files: [File], isLoop: Bool) throws(AudioError) {
        items = []
        self.isLoop = isLoop
        for file in files {
            let path = file.path
            do {
                items += try Self.items(file)
            } catch {
                throw error.detail.contains(path) ? error : AudioError(error.code, "\(path): \(error.detail)")
            }
        }
        guard !items.isEmpty else { throw AudioError(.empty, "There is nothing to play.") }
    }

    private static func items(_ source: File) throws(AudioError) -> [Item] {
        let path = source.path
        let file = try OggOpusFile(path: source.opusPath ?? path)
        let items = file.streams.indices.compactMap { index -> Item? in
            let stream = file.streams[index]
            guard stream.durationSamples > 0 else { return nil }
            return Item(
                path: path, file: file, stream: index, head: stream.head, packetCount: stream.packetCount,
                durationSamples: stream.durationSamples, track: Track(stream, path: path), gain: gain(stream))
        }
        guard !items.isEmpty else { throw AudioError(.empty, "Nothing in \(path) can be heard.") }
        return items
    }

    /// The gain of the head, which players must apply, and that of the tags, which brings it to −23 LUFS, to −18 LUFS. The
    /// tags say nothing of peaks, so by them nothing is made louder. RFC 7845 §5.1, §5.2.1.
    private static func gain(_ stream: OggOpusFile.Stream) -> Int? {
        let loudness = stream.tags.trackGain.map { min(0, $0 * 100 / 256 + 500) }
        let gain = stream.head.outputGain * 100 / 256 + (loudness ?? 0)
        return gain == 0 ? nil : Limits.gain(gain)
    }

    /// The item after this one, nil after the last.
    package func index(after item: Int) -> Int? {
        if item + 1 < items.count { return item + 1 }
        return isLoop ? 0 : nil
    }
}

extension Track {
    /// The tags of a stream, cut to the limits of the protocol. Without a title the file's name takes its place.
    init(_ stream: OggOpusFile.Stream, path: String) {
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
        self.init(
            title: Self.line(stream.tags.title) ?? Self.line(String(name)), artist: Self.line(stream.tags.artist),
            album: Self.line(stream.tags.album), durationMicroseconds: microseconds(samples: stream.durationSamples))
    }

    /// The text without control characters and line breaks, at most as many bytes as a field may have.
    private static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        var line = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x2028...0x2029 ~= scalar.value
            let kept = isControl ? " " : scalar
            bytes += UTF8.width(kept)
            guard bytes <= Limits.trackTextBytes.upperBound else { break }
            line.append(kept)
        }
        return line.isEmpty ? nil : String(line)
    }
}
