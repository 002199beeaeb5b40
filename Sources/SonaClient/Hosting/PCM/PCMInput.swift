internal import Dispatch
internal import Glibc
internal import SonaBase
internal import SonaEventLoop
internal import Synchronization

/// Reads a descriptor, such as standard input, on a thread of its own, since a pipe may have nothing for any time.
///
/// The bytes that wait are bounded: beyond `bytesMax` nothing is read, and the program that writes to the pipe waits.
/// Each piece is stamped with the moment at which it was read.
final class PCMInput: Sendable {
    struct Piece: Sendable {
        var bytes: [UInt8]
        /// By this machine's `MonotonicClock`, µs.
        var readAt: Int64
    }

    enum End: Sendable, Equatable {
        /// The input has ended.
        case over
        /// It could not be read; the system's number for why.
        case failed(Int32)
    }

    private struct State {
        var pieces: [Piece] = []
        var bytes = 0
        var bytesMax = 64 * 1024
        var isWaiting = false
        var end: End?
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: 0)
    /// More would be read at once only by a thread that falls behind. A pipe holds as much.
    private static let pieceBytes = 64 * 1024

    /// - Parameter descriptor: Is read until its end, and not closed.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Begins to read.
    func start() {
        guard WorkerThread.start("sound input", { [self] in read() }) else {
            return state.withLock { $0.end = .failed(EAGAIN) }
        }
    }

    /// The pieces that came since the last call, and the end if it was reached.
    func take() -> (pieces: [Piece], end: End?) {
        let (pieces, end, isWaiting) = state.withLock { state in
            defer {
                state.pieces = []
                state.bytes = 0
                state.isWaiting = false
            }
            return (state.pieces, state.end, state.isWaiting)
        }
        if isWaiting { room.signal() }
        return (pieces, end)
    }

    /// How much may wait to be taken.
    func hold(bytes: Int) {
        let isWaiting = state.withLock { state in
            state.bytesMax = max(bytes, 4_096)
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if isWaiting { room.signal() }
    }

    // MARK: On its thread

    private func read() {
        var buffer = [UInt8](repeating: 0, count: Self.pieceBytes)
        while true {
            waitForRoom()
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            let now = MonotonicClock.nowMicroseconds()
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let end: End = count == 0 ? .over : .failed(errno)
                return state.withLock { $0.end = end }
            }
            state.withLock { state in
                state.pieces.append(Piece(bytes: Array(buffer[..<count]), readAt: now))
                state.bytes += count
            }
        }
    }

    private func waitForRoom() {
        while true {
            let mayRead = state.withLock { state in
                let mayRead = state.bytes < state.bytesMax
                state.isWaiting = !mayRead
                return mayRead
            }
            if mayRead { return }
            room.wait()
        }
    }
}
