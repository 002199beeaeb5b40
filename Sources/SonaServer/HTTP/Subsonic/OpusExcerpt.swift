internal import Glibc
internal import SonaAudio
internal import SonaBase
internal import SonaEventLoop

/// The rest of a track from a place on, as an Ogg Opus file of its own.
///
/// Packets are copied. A decoder needs 80 ms before the place to be right there: these are in the file and in its
/// pre-skip, so that they are not heard.
///
/// Source: RFC 7845 §4.2 (pre-skip), §4.6 (seeking).
enum OpusExcerpt {
    enum Failure: Error {
        /// The track ends before the place.
        case beyondEnd
        /// The file can't be read, or the rest can't be written.
        case broken
        /// As many are being made as may be.
        case busy
    }

    /// Each takes a thread while it is made.
    private static let runningMax = 4
    private static let running = Monitor(0)

    /// `O_TMPFILE` of fcntl.h, which Swift does not see: a file without a name.
    private static let nameless = O_DIRECTORY | 0o20_000_000
    private static let rate: Int64 = 48_000
    private static let rollSamples: Int64 = 3_840
    private static let blockSamples: Int64 = 30 * rate

    /// Makes the file, on a thread of its own.
    ///
    /// - Parameters:
    ///   - sound: An Ogg Opus file, which is closed in any case.
    ///   - seconds: More than 0.
    ///   - folder: Where the file lies, without a name, until nobody reads it any more.
    /// - Throws: `Failure`.
    static func make(of sound: Int32, from seconds: Int, in folder: String) async throws(Failure) -> BodyFile {
        let isTaken = running.withLock { running in
            guard running < runningMax else { return false }
            running += 1
            return true
        }
        guard isTaken else {
            close(sound)
            throw .busy
        }
        defer { running.withLock { $0 -= 1 } }
        typealias Waiter = CheckedContinuation<Result<BodyFile, Failure>, Never>
        let result = await withCheckedContinuation { (continuation: Waiter) in
            let isStarted = WorkerThread.start("excerpt") {
                continuation.resume(
                    returning: Result { () throws(Failure) in try write(sound, Int64(seconds) * rate, folder) })
            }
            if !isStarted {
                close(sound)
                continuation.resume(returning: .failure(.broken))
            }
        }
        return try result.get()
    }

    private static func write(_ sound: Int32, _ offset: Int64, _ folder: String) throws(Failure) -> BodyFile {
        // Takes the descriptor over.
        guard let track = try? OpusTrackFile(descriptor: sound, name: "the sound") else { throw .broken }
        let place = offset + Int64(track.head.preSkip)
        guard place < track.samples else { throw .beyondEnd }
        var packet = track.packet(containing: max(0, place - rollSamples))
        var head = track.head
        head.preSkip = Int(place - track.start(of: packet))
        var writer = OggOpusWriter(head: head, tags: OpusTags(vendor: "Sona", comments: []), serial: 1)
        let file = open(folder, nameless | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .broken }
        var isTaken = false
        defer { if !isTaken { close(file) } }
        guard append(writer.headerPages(), to: file) else { throw .broken }
        do throws(any Error) {
            while packet < track.packetCount {
                let block = try track.read(from: packet, samples: blockSamples)
                var pages: [UInt8] = []
                for one in block.packets {
                    pages += try writer.write(packet: Array(block.bytes[one.bytes]), samples: one.samples, flush: false)
                }
                guard append(pages, to: file) else { throw Failure.broken }
                packet += block.packets.count
            }
        } catch { throw .broken }
        guard append(writer.finish(), to: file) else { throw .broken }
        isTaken = true
        guard let body = BodyFile(taking: file) else { throw .broken }
        return body
    }

    private static func append(_ bytes: [UInt8], to file: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
