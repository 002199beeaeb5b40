internal import Dispatch
internal import Glibc
internal import Synchronization

/// Lines of standard input, read when they are asked for and not ahead: who pipes in a million waits.
final class StandardInput: Sendable {
    /// Bytes read that do not make a line yet. Held while a line is read.
    private let waiting = Mutex<[UInt8]>([])
    /// Reading blocks, which the threads of tasks must not.
    private let queue = DispatchQueue(label: "standard input")

    /// A line longer than this comes in pieces, bytes.
    private static let lineBytesMax = 65_536

    /// - Returns: The next line without its end; nil when there are no more.
    func line() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.waiting.withLock { Self.read(&$0) }) }
        }
    }

    private static func read(_ waiting: inout [UInt8]) -> String? {
        while true {
            if let end = waiting.firstIndex(of: UInt8(ascii: "\n")) { return take(end, &waiting) }
            if waiting.count >= lineBytesMax { return take(waiting.endIndex, &waiting) }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return waiting.isEmpty ? nil : take(waiting.endIndex, &waiting) }
            waiting += bytes.prefix(count)
        }
    }

    private static func take(_ end: Int, _ waiting: inout [UInt8]) -> String {
        let line = String(decoding: waiting[..<end], as: UTF8.self)
        waiting.removeFirst(min(end + 1, waiting.count))
        return line
    }
}
