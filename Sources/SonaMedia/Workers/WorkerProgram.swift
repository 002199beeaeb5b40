/// The server's side: foreign bytes given to a worker, each to a process of its own.
///
///     let answer = try WorkerProgram().run(.picture, reading: bytes)
///
/// Whatever a worker does, the caller gets either its answer or a `WorkerError`.
public struct WorkerProgram: Sendable {
    /// A program that takes `worker KIND`. The running one by default, also where its file was replaced meanwhile.
    public var path = "/proc/self/exe"
    /// Time from the start to the end of the answer; then the worker is killed. It exceeds the processor time, since
    /// threads that serve audio take precedence over the worker.
    public var timeMax = Duration.seconds(15)
    /// A photo of 2048 × 2048 pixels of noise takes some 4 MiB.
    public var answerBytesMax = 16 << 20

    /// A worker with the limits that photos need: 15 s and an answer of 16 MiB.
    public init() {}

    /// Runs one worker and waits for it. Blocks: on a thread for that. The worker has the thread's priority, or lower.
    ///
    /// How many run at once is up to the caller, by its threads; each may take `Sandbox.Limits.memoryBytes`.
    /// - Throws: `notStarted` if there is no worker to be had just now; `failed` if it broke over the bytes.
    public func run(_ kind: WorkerKind, reading bytes: [UInt8]) throws(WorkerError) -> WorkerAnswer {
        try run(kind, reading: .bytes(bytes))
    }

    /// The bytes that a worker reads.
    enum Input {
        case bytes([UInt8])
        /// A file that is open for reading, and stays the caller's.
        case file(Int32)
    }

    func run(_ kind: WorkerKind, reading input: Input) throws(WorkerError) -> WorkerAnswer {
        let process = try WorkerProcess(path, ["worker", kind.rawValue], reading: input)
        return try process.answer(within: timeMax, bytesMax: answerBytesMax)
    }
}

/// Why a worker gave no answer. Its description is for logs.
public struct WorkerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Whether the worker or its input is at fault.
    public enum Code: Sendable, Equatable {
        /// It could not be started, or did not come as far as its sandbox. The bytes may be fine.
        case notStarted
        /// It crashed, was killed, took too long or talked nonsense, over the bytes it was given.
        case failed
    }

    /// The kind of failure, open to pattern matching.
    public let code: Code
    /// The failure, as the rest of a sentence that begins with "The worker".
    public let reason: String

    /// One sentence for a log: "The worker" and `reason`.
    public var description: String { "The worker \(reason)." }
}
