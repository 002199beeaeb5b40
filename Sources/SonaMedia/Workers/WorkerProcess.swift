internal import CSandbox
internal import Glibc
internal import SonaSandbox

/// One worker, from its start to its answer. The whole input is in a file, of memory or of a disk, before the start, so
/// nothing has to be fed to the process.
struct WorkerProcess: ~Copyable {
    private let process: ChildProcess
    private let output: Int32

    /// - Throws: `notStarted`.
    init(_ path: String, _ arguments: [String], reading source: WorkerProgram.Input) throws(WorkerError) {
        do throws(ChildProcess.StartError) {
            let input: Int32
            var made: Int32?
            switch source {
            case .bytes(let bytes):
                input = try MemoryFile.make("sona-worker-input", bytes)
                made = input
            case .file(let file): input = file
            }
            defer { if let made { close(made) } }
            var ends: [Int32] = [-1, -1]
            guard sona_sandbox_pipe(&ends) == 0 else { throw ChildProcess.StartError("no pipe", errno) }
            defer { close(ends[1]) }
            do throws(ChildProcess.StartError) {
                // Foreign bytes decide what libraries print about them, so it is thrown away.
                process = try ChildProcess(path, ["sona"] + arguments, files: [input, ends[1], nil])
            } catch {
                close(ends[0])
                throw error
            }
            output = ends[0]
        } catch {
            throw WorkerError(code: .notStarted, reason: error.description)
        }
    }

    deinit { close(output) }

    /// Everything the worker says, once it has said it and ended well.
    ///
    /// - Throws: `failed`; `notStarted` if it ended before its greeting.
    func answer(within time: Duration, bytesMax: Int) throws(WorkerError) -> WorkerAnswer {
        let deadline = ContinuousClock.now + time
        var said: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while try Self.inTime(process.waits(for: output, until: deadline)) {
            let count = read(output, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            guard said.count + count <= WorkerAnswer.headBytes + bytesMax else {
                throw Self.failed("said more than \(bytesMax) bytes")
            }
            said += chunk.prefix(count)
        }
        guard try Self.inTime(process.waitsForEnd(until: deadline)) else { throw Self.failed("can't be watched") }
        if let fault = process.end() {
            guard WorkerAnswer.isGreeted(said) else { throw WorkerError(code: .notStarted, reason: fault) }
            throw Self.failed(fault)
        }
        guard let answer = WorkerAnswer(said) else { throw Self.failed("said nonsense") }
        return answer
    }

    /// - Returns: False if the file can't be waited for.
    /// - Throws: `failed` at the deadline.
    private static func inTime(_ waited: Bool?) throws(WorkerError) -> Bool {
        guard waited != false else { throw failed("took too long") }
        return waited == true
    }

    private static func failed(_ reason: String) -> WorkerError { WorkerError(code: .failed, reason: reason) }
}
