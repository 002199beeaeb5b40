internal import CSandbox
internal import Glibc
internal import SonaSandbox
internal import SonaTranscode

/// Reads the tags of music files in a worker that lives long: `sona worker scan`.
///
/// The worker opens nothing. It is given open files over a socket, up to 32 at once, and answers for each in its order.
/// A file that breaks the worker is that file's failure: the worker is started again and goes on with the next.
///
/// Not Sendable: one thread uses it, and blocks. Several scanners may run side by side.
public final class SoundScanner {
    /// Why there is nothing to be known of a file.
    public enum Failure: Error, Sendable, Equatable {
        /// It is no sound file of a known kind, or damaged at its head.
        case notSound
        /// The worker crashed, reached a limit or took too long over it.
        case broke(String)
        /// There is no worker to be had just now. The file may be fine.
        case unavailable(String)
    }

    /// Files that are sent together.
    public static let batchMax = Int(sona_sandbox_files_max)

    private let program: WorkerProgram
    /// Time that one file may take; then the worker is killed.
    private let fileTimeMax: Duration
    private var running: (process: ChildProcess, socket: Int32)?
    private var message = [UInt8](repeating: 0, count: messageBytesMax)

    /// An answer: 1 byte status and `SoundTags.encoded`.
    private static let messageBytesMax = 128 << 10

    public init(_ program: WorkerProgram = WorkerProgram(), fileTimeMax: Duration = .seconds(10)) {
        self.program = program
        self.fileTimeMax = fileTimeMax
    }

    deinit { stop() }

    /// Reads the tags of files that are open, at most `batchMax`. Blocks.
    ///
    /// - Returns: As many, in their order.
    public func scan(_ files: [Int32]) -> [Result<SoundTags, Failure>] {
        precondition(files.count <= Self.batchMax, "A batch has at most \(Self.batchMax) files.")
        var results: [Result<SoundTags, Failure>] = []
        while results.count < files.count {
            do throws(ChildProcess.StartError) {
                try start()
            } catch {
                let missing = files.count - results.count
                return results
                    + [Result<SoundTags, Failure>](
                        repeating: .failure(.unavailable(error.description)), count: missing)
            }
            let batch = Array(files[results.count...])
            let before = results.count
            if send(batch) {
                while results.count < files.count, let result = receive() { results.append(result) }
            }
            guard results.count < files.count else { break }
            // The worker is gone, or silent: the file that it was given next has broken it.
            let reason = stop() ?? "took too long"
            if results.count == before, !hasGreeted {
                let missing = files.count - results.count
                return results + [Result<SoundTags, Failure>](repeating: .failure(.unavailable(reason)), count: missing)
            }
            results.append(.failure(.broke(reason)))
        }
        return results
    }

    /// The worker has said that it is limited: what goes wrong from there on is a file's fault.
    private var hasGreeted = false

    private func start() throws(ChildProcess.StartError) {
        guard running == nil else { return }
        hasGreeted = false
        var ends: [Int32] = [-1, -1]
        guard sona_sandbox_message_pair(&ends) == 0 else { throw ChildProcess.StartError("no socket", errno) }
        defer { close(ends[1]) }
        do throws(ChildProcess.StartError) {
            let process = try ChildProcess(
                program.path, ["sona", "worker", WorkerKind.scan.rawValue], files: [ends[1], ends[1], nil])
            running = (process, ends[0])
        } catch {
            close(ends[0])
            throw error
        }
        // Its greeting, a message of its own.
        hasGreeted = message(within: .seconds(10)).map { WorkerAnswer.isGreeted(Array(message[..<$0])) } ?? false
        if !hasGreeted { throw ChildProcess.StartError(stop() ?? "it does not greet", EPROTO) }
    }

    /// Ends the worker.
    ///
    /// - Returns: The fault in the way it ended; `nil` if it still ran.
    @discardableResult
    private func stop() -> String? {
        guard let (process, socket) = running else { return nil }
        running = nil
        close(socket)
        // A worker that has broken has ended already, or is about to.
        guard process.waitsForEnd(until: .now + .milliseconds(200)) == true else { return nil }
        return process.end()
    }

    private func send(_ files: [Int32]) -> Bool {
        guard let socket = running?.socket else { return false }
        let count = [UInt8(files.count)]
        while true {
            let sent = sona_sandbox_send_files(socket, count, 1, files, Int32(files.count))
            if sent < 0, errno == EINTR { continue }
            return sent == 1
        }
    }

    private func receive() -> Result<SoundTags, Failure>? {
        guard let count = message(within: fileTimeMax), count > 0 else { return nil }
        guard message[0] == 0 else { return .failure(.notSound) }
        return SoundTags(encoded: Array(message[1..<count])).map { .success($0) } ?? .failure(.broke("said nonsense"))
    }

    /// Waits for a message of the worker.
    ///
    /// - Returns: Its length; `nil` if none came.
    private func message(within time: Duration) -> Int? {
        guard let (process, socket) = running,
            process.waits(for: socket, until: .now + time) == true
        else { return nil }
        while true {
            let count = read(socket, &message, message.count)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? count : nil
        }
    }

    // MARK: In the worker

    /// Answers one batch after the other, until the server closes the socket.
    ///
    /// - Returns: Whether it ended in order.
    static func serve() -> Bool {
        var files = [Int32](repeating: -1, count: batchMax)
        while true {
            var (head, count): (UInt8, Int32) = (0, 0)
            let got = sona_sandbox_receive_files(STDIN_FILENO, &head, 1, &files, &count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return got == 0 }
            for file in files.prefix(Int(count)) {
                let tags = SoundTags.read(file)
                close(file)
                let answer = tags.map { [0] + $0.encoded } ?? [1]
                guard write(STDOUT_FILENO, answer, answer.count) == answer.count else { return false }
            }
            // Files beyond the limit on descriptors do not arrive: each still gets its answer.
            for _ in Int(count)..<max(Int(count), Int(head)) {
                guard write(STDOUT_FILENO, [1] as [UInt8], 1) == 1 else { return false }
            }
        }
    }
}
