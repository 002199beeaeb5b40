internal import Glibc
internal import SonaAudio
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Reads packets that a room has played, from the files of their tracks.
struct PastReading: Sendable {
    let library: Library
    let reader: TrackReader
    /// Whose right to the tracks counts: the room's owner.
    let owner: UserID
    /// Files that are open already.
    let open: [MusicID: OpusTrackFile]

    struct Found: Sendable {
        var chunks: [AudioChunk] = []
        /// Files that were opened for them.
        var opened: [MusicID: OpusTrackFile] = [:]
    }

    /// The packets of some pieces, in their order. Of a track that the owner may not play any more there are none.
    func read(_ pieces: [PastSound<MusicID>.Piece]) async -> Found {
        var found = Found()
        for piece in pieces {
            guard let music = piece.epoch.file, let file = await file(of: music, &found) else { continue }
            let chunks = await onThread { (try? Self.chunks(of: piece, in: file)) ?? [] }
            found.chunks += chunks
        }
        return found
    }

    private func file(of music: MusicID, _ found: inout Found) async -> OpusTrackFile? {
        // It asks whether the owner may still play it, also if the file is open.
        guard let sound = try? await library.rooms.sound(of: music, for: owner) else { return nil }
        if let file = open[music] ?? found.opened[music] {
            close(sound.descriptor)
            return file
        }
        let file = await onThread { try? OpusTrackFile(descriptor: sound.descriptor, name: "track \(music.rawValue)") }
        found.opened[music] = file
        return file
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in reader.run { continuation.resume(returning: body()) } }
    }

    /// Reads the packets of a piece, as they were sent.
    private static func chunks(
        of piece: PastSound<MusicID>.Piece, in file: OpusTrackFile
    ) throws(AudioError) -> [AudioChunk] {
        let epoch = piece.epoch
        guard epoch.origin < file.samples else { return [] }
        let first = file.packet(containing: epoch.origin)
        var next = max(first, file.packet(containing: max(epoch.origin, epoch.sample(at: piece.from))))
        let end = min(file.samples, epoch.sample(at: piece.to) + 1)
        var chunks: [AudioChunk] = []
        while next < file.packetCount, file.start(of: next) < end {
            let block = try file.read(from: next, samples: min(PlayingTrack.blockSamples, end - file.start(of: next)))
            var start = block.start
            for packet in block.packets {
                var flags: AudioFlags = .shifted
                if next == first, !epoch.stream.continues { flags.insert(.discontinuity) }
                if next + 1 == file.packetCount { flags.insert(.last) }
                let header = AudioDown(
                    flags: flags, epoch: epoch.stream.epoch,
                    sequence: epoch.firstPacket &+ UInt32(next - first),
                    playAtMicroseconds: epoch.time(ofSample: start),
                    samples: UInt32(packet.samples))
                let due = max(epoch.stream.startMicroseconds, header.playAtMicroseconds)
                let chunk = AudioChunk(header: header, packet: Array(block.bytes[packet.bytes]), due: due)
                if chunk.end > piece.from, header.playAtMicroseconds < piece.to { chunks.append(chunk) }
                start += Int64(packet.samples)
                next += 1
            }
        }
        return chunks
    }
}
