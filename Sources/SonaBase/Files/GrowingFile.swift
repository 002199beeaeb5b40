internal import Glibc

/// A file that one side writes while others read it: they wait at its end until it has grown or is whole. Any thread.
///
/// States: *growing* → `end` → *whole* or *failed*.
///
/// The writer appends by any descriptor, and calls `grew` now and then. A reader that has come to the end asks to be
/// called (`whenGrown`) and blocks no thread meanwhile.
public final class GrowingFile: Sendable {
    /// How the writing ended.
    public enum End: Sendable {
        case whole, failed
    }

    /// The outcome of a read.
    public enum Piece: Sendable, Equatable {
        /// At least one byte.
        case bytes([UInt8])
        /// The place is at the end of what has been written so far.
        case notYet
        /// The place is the end of the file, which is whole.
        case end
        /// The writing failed, or the file can't be read.
        case failed
    }

    private struct State {
        var size: Int64 = 0
        var end: End?
        var waiting: [@Sendable () -> Void] = []
    }

    private let descriptor: Int32
    private let state = Monitor(State())

    /// Takes over a descriptor that is open for reading.
    public init(taking descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Bytes that can be read.
    public var size: Int64 { state.withLock { $0.size } }

    /// `nil` while the file grows.
    public var end: End? { state.withLock { $0.end } }

    /// Looks how much has been written, and calls those who wait for more. One system call.
    public func grew() {
        let size = fileSize
        wake { state in
            guard state.end == nil, size > state.size else { return false }
            state.size = size
            return true
        }
    }

    /// Ends the growing; what has been written until now is all. The first call counts.
    public func end(_ end: End) {
        let size = fileSize
        wake { state in
            guard state.end == nil else { return false }
            state.size = max(size, state.size)
            state.end = end
            return true
        }
    }

    /// Reads from a place on, at most `count` bytes. Blocks for the disk, not for the writer.
    public func read(at place: Int64, count: Int) -> Piece {
        let (size, end) = state.withLock { ($0.size, $0.end) }
        if end == .failed { return .failed }
        guard place < size else { return end == .whole ? .end : .notYet }
        let wanted = Int(min(Int64(count), size - place))
        var got = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            repeat { got = pread(descriptor, buffer.baseAddress, wanted, off_t(place)) } while got < 0 && errno == EINTR
            filled = max(0, got)
        }
        return got > 0 ? .bytes(bytes) : .failed
    }

    /// Calls `body` once, as soon as there are bytes after a place or the file has ended: at once, or on the writer's
    /// thread, which it must not keep.
    public func whenGrown(past place: Int64, _ body: @escaping @Sendable () -> Void) {
        let isReady = state.withLock { state in
            if state.size > place || state.end != nil { return true }
            state.waiting.append(body)
            return false
        }
        if isReady { body() }
    }

    private func wake(_ change: (inout State) -> Bool) {
        let waiting = state.withLock { state -> [@Sendable () -> Void] in
            guard change(&state) else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body() }
    }

    private var fileSize: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }
}
