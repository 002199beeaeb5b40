internal import SonaSandbox

/// The answer of a worker, which it writes to its standard output once.
///
/// Layout, numbers big-endian:
///
///      0   4  "SONA", written before a foreign byte is read
///      4   1  1 if the kernel filters the worker's system calls, else 0
///      5   4  count of the bytes that follow
///      9   …  what they mean is the kind's affair
///
/// Anything else is invalid, as is a byte more or less.
public struct WorkerAnswer: Sendable, Equatable {
    /// Whether the kernel filters the worker's system calls.
    public let isFiltered: Bool
    /// The payload: the bytes after the greeting and the count.
    public let bytes: [UInt8]

    static let greetingBytes = 5
    static let headBytes = greetingBytes + 4
    private static let magic = Array("SONA".utf8)

    static func greeting(_ sandbox: Sandbox.Report) -> [UInt8] { magic + [sandbox.isFiltered ? 1 : 0] }

    /// The part of the answer after the greeting.
    static func framed(_ bytes: [UInt8]) -> [UInt8] { BigEndian.bytes(UInt32(bytes.count)) + bytes }

    /// Whether the worker came as far as its sandbox: what goes wrong from there on is of the bytes it was given.
    static func isGreeted(_ output: [UInt8]) -> Bool { output.starts(with: magic) && output.count >= greetingBytes }

    /// - Returns: `nil` for nonsense.
    init?(_ output: [UInt8]) {
        guard Self.isGreeted(output), output[4] <= 1, output.count >= Self.headBytes,
            BigEndian.number(output[Self.greetingBytes..<Self.headBytes]) == output.count - Self.headBytes
        else { return nil }
        isFiltered = output[4] == 1
        bytes = Array(output[Self.headBytes...])
    }
}

/// Numbers as they are written between the server and its workers.
enum BigEndian {
    static func bytes(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
