internal import CSandbox
internal import Glibc

/// A program of another's, such as ffmpeg, run in a process that has limited itself first.
///
/// The programs of Sona start themselves for that, with a hidden command: `sona limited MEMORY SECONDS BYTES PROGRAM
/// ARGUMENT…`. The child sets its limits (`Sandbox.enter`) and becomes the program.
public struct LimitedProgram: Sendable {
    /// The name of the hidden command.
    public static let commandName = "limited"

    /// A program of ours that knows the hidden command. The running one by default, also where its file was replaced
    /// meanwhile.
    public var launcher = "/proc/self/exe"
    /// The program's file.
    public var path: String
    public var limits = Sandbox.ProgramLimits()
    /// Time from its start to its end; then it is killed.
    public var timeMax = Duration.seconds(1200)

    /// - Parameter path: The program's file.
    public init(path: String) { self.path = path }

    /// The file of a program that one of the folders of `PATH` holds; `nil` if none does.
    public static func find(_ name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        for folder in folders.split(separator: ":") {
            let path = "\(folder)/\(name)"
            if access(path, X_OK) == 0 { return path }
        }
        return nil
    }

    /// How a program ended.
    public enum Ending: Sendable, Equatable {
        /// By itself, with status 0.
        case finished
        /// It failed, was ended by a limit, or took too long: the reason, as the rest of a sentence.
        case failed(String)
    }

    /// Runs it and waits. Blocks: on a thread for that.
    ///
    /// - Parameters:
    ///   - input: Descriptor 0 of the program: the one file that it may open, as /proc/self/fd/0.
    ///   - output: Its descriptor 1.
    ///   - log: Its descriptor 2; `nil` throws away what it says.
    ///   - isCancelled: Asked four times a second; true kills it.
    /// - Throws: `StartError` if it could not be started, or could not be limited.
    public func run(
        _ arguments: [String], input: Int32?, output: Int32?, log: Int32?,
        isCancelled: () -> Bool = { false }
    ) throws(ChildProcess.StartError) -> Ending {
        let numbers = [limits.memoryBytes, limits.processorSeconds, limits.outputBytesMax].map(String.init)
        let child = try ChildProcess(
            launcher, ["sona", Self.commandName] + numbers + [path] + arguments, files: [input, output, log])
        let deadline = ContinuousClock.now + timeMax
        if let ending = Self.wait(until: deadline, isCancelled, { child.waitsForEnd(until: $0) }) { return ending }
        return try Self.ending(of: child)
    }

    /// Runs it and takes what it writes to its descriptor 1 while it runs. Blocks, as does the program while `output`
    /// is busy.
    ///
    /// - Parameters:
    ///   - more: Its descriptor 3, if there is one.
    ///   - output: Called with the next bytes, at most 64 KiB.
    public func run(
        _ arguments: [String], input: Int32?, log: Int32?, more: Int32? = nil, isCancelled: () -> Bool = { false },
        output: (UnsafeRawBufferPointer) -> Void
    ) throws(ChildProcess.StartError) -> Ending {
        var ends: [Int32] = [-1, -1]
        guard sona_sandbox_pipe(&ends) == 0 else { throw .init("no pipe", errno) }
        defer { close(ends[0]) }
        let numbers = [limits.memoryBytes, limits.processorSeconds, limits.outputBytesMax].map(String.init)
        let child: ChildProcess
        do {
            defer { close(ends[1]) }
            child = try ChildProcess(
                launcher, ["sona", Self.commandName] + numbers + [path] + arguments,
                files: [input, ends[1], log] + (more.map { [$0] } ?? []))
        }
        let deadline = ContinuousClock.now + timeMax
        var asked = ContinuousClock.now
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            if let ending = Self.wait(until: deadline, isCancelled, { child.waits(for: ends[0], until: $0) }) {
                return ending
            }
            let count = read(ends[0], &piece, piece.count)
            if count == 0 { break }
            if count < 0, errno != EINTR { return .failed("can't be read from") }
            if count > 0 { piece.withUnsafeBytes { output(UnsafeRawBufferPointer(rebasing: $0[..<count])) } }
            // A program that writes without a pause is asked about as well.
            if ContinuousClock.now - asked > .milliseconds(250) {
                asked = .now
                if isCancelled() { return .failed(Self.cancelledFault) }
                if asked >= deadline { return .failed("took too long") }
            }
        }
        if let ending = Self.wait(until: deadline, isCancelled, { child.waitsForEnd(until: $0) }) { return ending }
        return try Self.ending(of: child)
    }

    /// The fault of a program that `isCancelled` ended.
    public static let cancelledFault = "was cancelled"

    /// Waits for something of a child, and asks four times a second whether to go on.
    ///
    /// - Parameter isThere: Waits until a moment; `nil` if that is not possible.
    /// - Returns: `nil` once it is there.
    private static func wait(
        until deadline: ContinuousClock.Instant, _ isCancelled: () -> Bool,
        _ isThere: (ContinuousClock.Instant) -> Bool?
    ) -> Ending? {
        while true {
            let step = min(deadline, ContinuousClock.now + .milliseconds(250))
            guard let isThere = isThere(step) else { return .failed("can't be watched") }
            if isThere { return nil }
            if isCancelled() { return .failed(cancelledFault) }
            if ContinuousClock.now >= deadline { return .failed("took too long") }
        }
    }

    private static func ending(of child: ChildProcess) throws(ChildProcess.StartError) -> Ending {
        guard let fault = child.end() else { return .finished }
        if fault == "ended with status \(notLimitedStatus)" { throw .init("it can't be limited", EPERM) }
        return .failed(fault)
    }

    /// EX_OSERR of sysexits.h.
    private static let notLimitedStatus: Int32 = 71

    /// The child's side: if these are the arguments of the hidden command, limits this process and becomes the program.
    /// To be called first of all, before another thread is started.
    ///
    /// - Parameter arguments: Of this process, its name first.
    public static func becomeIfAsked(_ arguments: [String]) {
        if arguments.dropFirst().first == commandName { become(Array(arguments.dropFirst(2))) }
    }

    private static func become(_ arguments: [String]) -> Never {
        guard arguments.count >= 4, let memory = Int(arguments[0]), let seconds = Int(arguments[1]),
            let bytes = Int(arguments[2])
        else { _exit(64) }
        var limits = Sandbox.ProgramLimits()
        (limits.memoryBytes, limits.processorSeconds, limits.outputBytesMax) = (memory, seconds, bytes)
        let path = arguments[3]
        guard Sandbox.enter(before: path, limits) != nil else { _exit(notLimitedStatus) }
        let copies = arguments[3...].map { strdup($0) } + [nil]
        execv(path, copies)
        _exit(127)
    }
}
