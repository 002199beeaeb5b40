internal import Glibc
internal import SonaBase
internal import SonaEventLoop
internal import SonaSandbox
internal import SonaWire

/// Event streams of what is heard in public rooms, for pages that don't speak the protocol.
///
/// Each is a file in memory that grows by an event whenever something has changed. All are looked at once a second, and
/// nothing is while there is none. A stream ends after half an hour, or when it has grown long: browsers open another one.
/// On the loop.
///
/// Source: HTML, section 9.2, "Server-sent events".
final class NowStreams {
    private unowned let core: ShardCore  // Owns this.
    private var streams: [RoomID: [Stream]] = [:]
    private var isLooking = false

    private struct Stream {
        /// `nil` once whoever read it has gone.
        weak var file: GrowingFile?
        /// The file's own descriptor, which it closes.
        let descriptor: Int32
        let endsAt: Int64
        var told: NowDocument?
        var toldAt: Int64 = 0
    }

    private static let look = Duration.seconds(1)
    /// A line that keeps proxies from closing the connection goes out after so long without an event, µs.
    private static let silenceMicroseconds: Int64 = 15_000_000
    private static let lifeMicroseconds: Int64 = 1_800_000_000
    private static let bytesMax: Int64 = 1 << 20

    init(_ core: ShardCore) { self.core = core }

    var count: Int { streams.values.reduce(0) { $0 + $1.count } }

    /// - Returns: `nil` if there are too many, or there is no memory for it.
    func open(_ room: RoomID, beginning document: NowDocument) -> GrowingFile? {
        guard count < Limits.nowStreamsMax, let descriptor = try? MemoryFile.make("sona-now") else { return nil }
        let file = GrowingFile(taking: descriptor)
        let now = MonotonicClock.nowMicroseconds()
        var stream = Stream(file: file, descriptor: descriptor, endsAt: now + Self.lifeMicroseconds)
        Self.write("retry: 2000\n\n", to: file, descriptor)
        Self.tell(document, &stream, file, now: now)
        streams[room, default: []].append(stream)
        if !isLooking {
            isLooking = true
            schedule()
        }
        return file
    }

    private func schedule() {
        core.loop.schedule(after: Self.look) { [weak self] in
            guard let self else { return }
            lookAtAll(now: MonotonicClock.nowMicroseconds())
            isLooking = !streams.isEmpty
            if isLooking { schedule() }
        }
    }

    private func lookAtAll(now: Int64) {
        for (room, open) in streams {
            let document = core.nowDocument(of: room)
            var kept: [Stream] = []
            for var stream in open {
                guard let file = stream.file else { continue }
                guard let document, now < stream.endsAt, file.size < Self.bytesMax else {
                    file.end(.whole)
                    continue
                }
                if stream.told?.isSame(as: document) != true {
                    Self.tell(document, &stream, file, now: now)
                } else if now - stream.toldAt > Self.silenceMicroseconds {
                    stream.toldAt = now
                    Self.write(": nothing new\n\n", to: file, stream.descriptor)
                }
                kept.append(stream)
            }
            streams[room] = kept.isEmpty ? nil : kept
        }
    }

    private static func tell(_ document: NowDocument, _ stream: inout Stream, _ file: GrowingFile, now: Int64) {
        (stream.told, stream.toldAt) = (document, now)
        write(
            "event: now\ndata: \(String(decoding: document.encoded(), as: UTF8.self))\n\n", to: file, stream.descriptor)
    }

    private static func write(_ text: String, to file: GrowingFile, _ descriptor: Int32) {
        let bytes = Array(text.utf8)
        // Memory takes all of it or nothing.
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        file.grew()
    }
}

extension NowDocument {
    /// Whether nothing but the time has passed.
    fileprivate func isSame(as other: NowDocument) -> Bool {
        var later = other
        (later.serverMicroseconds, later.serverMilliseconds) = (serverMicroseconds, serverMilliseconds)
        return self == later
    }
}
