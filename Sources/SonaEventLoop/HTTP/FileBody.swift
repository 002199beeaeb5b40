internal import Glibc
internal import SonaBase

/// A file that is open for answers; closed when the last of them is gone. Any thread.
public final class BodyFile: Sendable {
    let descriptor: Int32
    /// Bytes, when it was opened.
    public let size: Int64
    /// Time of its last change, nanoseconds since 1970.
    public let modifiedNanoseconds: Int64
    /// Number of the file in its file system.
    public let inode: UInt64

    /// Opens a regular file. Blocks: not on a loop.
    ///
    /// - Returns: `nil` if the path names no regular file, or the file can't be read.
    public convenience init?(path: String) {
        // O_NONBLOCK: opening a pipe must not wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        self.init(taking: descriptor)
    }

    /// Takes over a descriptor that is open for reading.
    ///
    /// - Returns: `nil`, with the descriptor closed, if it is no regular file.
    public init?(taking descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = Int64(status.st_size)
        modifiedNanoseconds = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
    }

    deinit { close(descriptor) }

    /// Bytes from a place on; fewer than asked for only at the end of the file. Blocks.
    ///
    /// - Returns: `nil` if reading fails.
    public func read(at place: Int64, count: Int) -> [UInt8]? {
        var isBroken = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(place) + off_t(filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    isBroken = got < 0
                    return
                }
                filled += got
            }
        }
        return isBroken ? nil : bytes
    }
}

/// A file, or a part of one, that is an answer's body. It is read while it is sent, through a window of 64 KiB.
public struct FileBody: Sendable {
    /// The file.
    public var file: BodyFile
    /// Place of the first byte.
    public var start: Int64
    /// Number of bytes.
    public var count: Int64

    /// - Parameter range: Part of the file; all of it if `nil`.
    public init(_ file: BodyFile, range: Range<Int64>? = nil) {
        self.file = file
        start = range?.lowerBound ?? 0
        count = range.map { $0.upperBound - $0.lowerBound } ?? file.size
    }
}

/// The reading of an answer's file, at most one read at a time. Belongs to its loop.
struct Download {
    private enum Source {
        /// A file of known length; what is left of it.
        case file(FileBody)
        /// A file that is still being written, from a place on.
        case growing(GrowingFile, place: Int64)
    }

    private var source: Source
    /// Whether each block goes out as a chunk (RFC 9112 §7.1), since nobody knows yet how many there will be.
    private let isChunked: Bool
    /// A read is under way.
    private(set) var isReading = false
    private let lease: BodyMeter.Lease?

    /// Bytes of one read.
    static let blockBytes = 32 * 1024
    /// The next block is read when no more than this waits to be sent.
    static let lowBytes = 32 * 1024

    init(_ body: FileBody, _ meter: BodyMeter?) {
        source = .file(body)
        isChunked = false
        lease = meter.map(BodyMeter.Lease.init)
    }

    init(_ file: GrowingFile, isChunked: Bool, _ meter: BodyMeter?) {
        source = .growing(file, place: 0)
        self.isChunked = isChunked
        lease = meter.map(BodyMeter.Lease.init)
    }

    /// Has the next block read by a thread of `BodyThreads`, once it is there.
    ///
    /// - Parameter done: Called with the block, on that thread.
    mutating func read(_ done: @escaping @Sendable (GrowingFile.Piece) -> Void) {
        isReading = true
        switch source {
        case .file(let body):
            let count = Int(min(body.count, Int64(Self.blockBytes)))
            BodyThreads.run {
                // The length has been promised, so a file that became shorter has failed.
                let bytes = body.file.read(at: body.start, count: count)
                done(bytes.map { $0.count == count ? .bytes($0) : .failed } ?? .failed)
            }
        case .growing(let file, let place):
            file.whenGrown(past: place) { BodyThreads.run { done(file.read(at: place, count: Self.blockBytes)) } }
        }
    }

    /// Takes the block that was read.
    ///
    /// - Returns: The bytes to send, and whether they are the last; `nil` if the answer can't be completed.
    mutating func take(_ piece: GrowingFile.Piece) -> (bytes: [UInt8], isLast: Bool)? {
        isReading = false
        if case .bytes(let bytes) = piece { lease?.meter.add(bytes.count) }
        switch (source, piece) {
        case (.file(var body), .bytes(let bytes)):
            body.start += Int64(bytes.count)
            body.count -= Int64(bytes.count)
            source = .file(body)
            return (bytes, body.count == 0)
        case (.growing(let file, let place), .bytes(let bytes)):
            source = .growing(file, place: place + Int64(bytes.count))
            guard isChunked else { return (bytes, false) }
            return (Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8), false)
        case (.growing, .end): return (isChunked ? Array("0\r\n\r\n".utf8) : [], true)
        case (.growing, .notYet): return ([], false)
        case (_, .failed), (.file, _): return nil
        }
    }
}
