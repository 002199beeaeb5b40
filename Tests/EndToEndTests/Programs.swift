import Foundation
import SonaTestSupport
import Testing

/// The built programs, run as a person would run them.
enum Programs {
    /// The folder of the programs: `SONA_PROGRAMS` if it is set (a release build, as in `deploy/test`), otherwise the
    /// folder of the test bundle, where SwiftPM puts the executables too.
    static let folder: URL = {
        if let folder = ProcessInfo.processInfo.environment["SONA_PROGRAMS"] { return URL(fileURLWithPath: folder) }
        for argument in CommandLine.arguments {
            let url = URL(fileURLWithPath: argument)
            for candidate in [url, url.deletingLastPathComponent()] {
                let server = candidate.appendingPathComponent("sona").path
                if FileManager.default.isExecutableFile(atPath: server) { return candidate }
            }
        }
        fatalError("The program sona was not found beside the tests.")
    }()

    /// Whether a test runs that needs an outside program: if it is installed. If `SONA_PROGRAMS` is set, a test that
    /// needs a program which deploy/test installs runs in any case, and fails without it.
    ///
    /// - Parameter isRequired: Whether deploy/test installs it.
    static func hasTool(_ path: String, isRequired: Bool = true) -> Bool {
        FileManager.default.isExecutableFile(atPath: path)
            || isRequired && ProcessInfo.processInfo.environment["SONA_PROGRAMS"] != nil
    }

    /// Whether tests may take long: `deploy/test --long`.
    static let isLong = TestLength.isLong

    static func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sona-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// A program's output and how it ended.
struct Ending: Sendable {
    var status: Int32
    var output: String
    var errors: String
}

/// A running program, with its output collected as it comes.
final class RunningProgram: @unchecked Sendable {
    // Safe to share: the output is guarded by its lock, and the program may be asked from any thread.
    private let process: SpawnedProgram
    private let collected = Collected()
    private let readers = DispatchGroup()

    /// - Parameter input: The program's standard input; empty if nil.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], at path: String? = nil,
        input: FileHandle? = nil
    ) throws {
        let file = path ?? Programs.folder.appendingPathComponent(program).path
        // The configuration of whoever runs the tests is none of theirs.
        let variables = ProcessInfo.processInfo.environment.merging(["SONA_CONFIG": "/dev/null"]) { $1 }
            .merging(environment) { $1 }
        let (output, errors) = (try Self.makePipe(), try Self.makePipe())
        defer { for end in [output.write, errors.write] { close(end) } }
        do {
            process = try SpawnedProgram(
                file, arguments, environment: variables,
                files: [(input ?? FileHandle.nullDevice).fileDescriptor, output.write, errors.write])
        } catch {
            for end in [output.read, errors.read] { close(end) }
            throw error
        }
        for (number, end) in [(Int32(1), output.read), (2, errors.read)] {
            readers.enter()
            // The closure does not hold `self`, because releasing the last reference ends the program.
            Thread.detachNewThread { [collected, readers] in
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = read(end, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    collected.append(Data(buffer[..<count]), number)
                }
                close(end)
                readers.leave()
            }
        }
    }

    /// A pipe. A program that is spawned inherits nothing but what it is given.
    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ProgramFault(description: "there is no pipe") }
        return (ends[0], ends[1])
    }

    var identifier: Int32 { process.identifier }
    var output: String { text(1) }
    var errors: String { text(2) }
    private func text(_ number: Int32) -> String { collected.text(number) }

    private final class Collected: @unchecked Sendable {
        // Safe to share: `data` is guarded by `lock`.
        private let lock = NSLock()
        private var data: [Int32: Data] = [:]

        func append(_ more: Data, _ number: Int32) { lock.withLock { data[number, default: Data()].append(more) } }
        func text(_ number: Int32) -> String {
            lock.withLock { String(decoding: data[number] ?? Data(), as: UTF8.self) }
        }
    }

    func signal(_ number: Int32) { process.send(number) }

    /// Waits for the end. A program that takes longer is killed.
    func ending(within seconds: Double = 60) async -> Ending {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while process.isRunning, ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(10)) }
        process.send(SIGKILL)
        while process.isRunning { try? await Task.sleep(for: .milliseconds(10)) }
        _ = readers.wait(timeout: .now() + 2)
        return Ending(status: process.ended() ?? -1, output: output, errors: errors)
    }

    /// Waits until standard output has a first line that begins with `prefix`, and returns what follows it.
    func line(beginning prefix: String = "", within seconds: Double = 20) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { $0.hasPrefix(prefix) }) { return String(line.dropFirst(prefix.count)) }
            if !process.isRunning { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw ProgramFault(description: "no line \"\(prefix)…\"; output: \(output); errors: \(errors)")
    }
}

struct ProgramFault: Error, CustomStringConvertible { var description: String }

/// A server on a free port with a data folder of its own, and `sonactl` speaking to it.
final class TestServer: Sendable {
    let folder: URL
    let address: String
    /// The address of the server's `/metrics`.
    let metrics: String
    let process: RunningProgram

    init(folder: URL? = nil, _ arguments: [String] = [], port: String = "0") async throws {
        self.folder = try folder ?? Programs.temporaryFolder()
        process = try RunningProgram(
            "sona",
            [
                "serve", "--data", self.folder.appendingPathComponent("data").path, "--listen", "127.0.0.1:\(port)",
                "--metrics", "127.0.0.1:0",
            ] + arguments)
        address = try await process.line(beginning: "listening on ")
        metrics = try await process.line(beginning: "metrics on ")
    }

    var port: String { String(address.split(separator: ":").last ?? "") }

    func environment(_ person: String) -> [String: String] {
        ["XDG_CONFIG_HOME": folder.appendingPathComponent("config-\(person)").path, "SONA_SERVER": address]
    }

    /// Starts `sonactl` as a person with credentials of their own.
    func start(_ person: String, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram("sonactl", arguments, environment: environment(person))
    }

    /// Starts `sonactl` with standard input.
    func start(_ person: String, _ arguments: [String], input: FileHandle) throws -> RunningProgram {
        try RunningProgram("sonactl", arguments, environment: environment(person), input: input)
    }

    func run(_ person: String, _ arguments: String..., within seconds: Double = 30) async throws -> Ending {
        try await RunningProgram("sonactl", arguments, environment: environment(person)).ending(within: seconds)
    }

    func signUp(_ person: String) async throws {
        let ending = try await run(
            person, "signup", "--email", "\(person)@example.org", "--username", person, "--password", "correct horse")
        guard ending.status == 0 else { throw ProgramFault(description: "signup: \(ending)") }
    }

    func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Ends the server politely and returns how it ended.
    func stop() async -> Ending {
        process.signal(SIGTERM)
        // The server waits 10 s for clients that do not answer its goodbye.
        let ending = await process.ending(within: 40)
        if ending.status != 0 { print("The server ended otherwise than it should: \(ending)") }
        return ending
    }
}
