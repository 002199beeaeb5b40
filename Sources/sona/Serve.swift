import ArgumentParser
import Glibc
import SonaBase
import SonaConfiguration
import SonaEventLoop
import SonaServer
import Synchronization

/// `sona serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the server.",
        discussion: """
            Prints "listening on http://HOST:PORT" (https://… with TLS) for each address once all are bound. As long as there is no administrator, the log \
            has a link with which one person makes that account. SIGTERM and SIGINT close every \
            connection politely and end with 0; a second one ends at once. SIGHUP has the configuration and the certificate \
            read again (`sona config`). SIGUSR2 starts the program anew as it is on the disk, and hands over to it: \
            listeners hear nothing of that, and nobody loses their place.
            """)

    @OptionGroup var flags: ServerFlags

    @Flag(help: "Replace keys missing from the data folder. Everything made with them becomes invalid.")
    var newKeys = false

    @Flag(help: "Take over from the server that runs in the data folder: its ports, clients and broadcasts.")
    var takeOver = false

    @Flag(help: "Begin with an empty database where the folder's own is lost.")
    var newDatabase = false

    /// Reads the settings. Called again at each SIGHUP.
    ///
    /// - Throws: `OperatorFailure`.
    private func readConfiguration(
        warn: (String) -> Void = { ConsoleLine.write(to: 2, "sona: \($0)") }
    ) throws(OperatorFailure) -> ServerConfiguration {
        let resolved = ServerConfiguration.resolve(try flags.sources())
        for warning in resolved.warnings { warn(warning) }
        var configuration = try resolved.usable()
        configuration.makesLostKeys = newKeys
        configuration.makesLostDatabase = newDatabase
        configuration.takesOver = takeOver
        // This very program, even if its file was replaced since.
        configuration.workerProgram = "/proc/self/exe"
        configuration.siteFolder = Environment["SONA_SITE"]
        try Self.readFiles(&configuration)
        return configuration
    }

    /// Reads the files that the configuration names, so that a fault is found before anything is bound or made.
    ///
    /// - Throws: `OperatorFailure` with 78.
    static func readFiles(_ configuration: inout ServerConfiguration) throws(OperatorFailure) {
        configuration.identity = try readIdentity(configuration)
        guard let file = configuration.logoFile else { return }
        do throws(ServerLogo.Failure) {
            configuration.logo = try ServerLogo(file: file)
        } catch {
            throw OperatorFailure(78, "The logo \(file) \(error.reason).")
        }
    }

    /// Without its certificate the server must not start.
    private static func readIdentity(_ configuration: ServerConfiguration) throws(OperatorFailure) -> TLSIdentity? {
        guard let certificate = configuration.tlsCertificateFile, let key = configuration.tlsKeyFile else { return nil }
        do throws(EventLoopError) {
            return try TLSIdentity(certificateFile: certificate, keyFile: key)
        } catch {
            throw OperatorFailure(78, "\(error.detail).")
        }
    }

    func run() async throws {
        DescriptorLimit.raise()
        var configuration = try readConfiguration()
        let ending = Ending()
        let log = ServerLog(
            level: configuration.logLevel,
            format: configuration.logFormat.format(isTerminal: ConsoleLine.isInteractive(2)),
            hasPriorities: JournalStream.isBehind(2)
        ) { ConsoleLine.write(to: 2, $0) }
        configuration.log = log
        // A supervisor starts the server again, which then reads the file again.
        configuration.mustEnd = { ending.ask(code: 74) }
        configuration.handedOver = { ending.leave() }
        configuration.drain = { isReplaced in
            if isReplaced { return Successor.start() }
            ending.ask()
            return nil
        }
        let manager = ServiceManager()
        configuration.tookOver = { manager?.tookOver() }
        let server = Server(configuration)
        let hadTerminal = isatty(STDIN_FILENO) == 1
        ProcessSignals.handle { number in
            if number == SIGUSR2 {
                if let reason = Successor.start() { log.log(.handoverFailed, "No successor starts: \(reason).") }
                return
            }
            // Whoever closes a terminal ends what runs in it. The descriptor is then no terminal any more.
            guard number == SIGHUP, hadTerminal == (isatty(STDIN_FILENO) == 1) else { return ending.ask() }
            Task { await reload(server, log, manager) }
        }
        do {
            let scheme = configuration.identity == nil ? "http" : "https"
            for address in try await server.start() { ConsoleLine.write(to: 1, "listening on \(scheme)://\(address)") }
            if let address = await server.metricsAddress {
                ConsoleLine.write(to: 1, "metrics on http://\(address)/metrics")
            }
        } catch {
            manager?.send("STATUS=\(error.sentence)")
            await log.close()
            ConsoleLine.write(to: 2, "sona: \(error.sentence)")
            throw ExitCode(error.exitCode)
        }
        manager?.ready(Self.serving)
        if let manager { await server.report(to: manager) }
        // The link that the process before has offered is still good.
        if !takeOver, let link = await server.setupLink() { log.log(.setupOffered, "Set up this server: \(link)") }
        log.log(.serverStarted, "Sona \(ServerVersion.text) serves \(configuration.dataFolder).")
        await ending.wait()
        if ending.isLeft {
            await log.close()
            fflush(nil)
            _exit(0)
        }
        log.log(.serverStopping, "The server stops.")
        manager?.stopping("Tells clients, and writes what is left.")
        // The process ends even if something hangs.
        Task.detached { [seconds = configuration.drainSecondsMax + 2 * configuration.writingSecondsMax] in
            try? await Task.sleep(for: .seconds(seconds))
            ConsoleLine.write(to: 2, "sona: stopping took too long; everything acknowledged is on disk")
            _exit(1)
        }
        if await server.drain() > 0 {
            ConsoleLine.write(to: 2, "sona: the disk does not answer; the last changes of rooms may be lost")
        }
        await log.close()
        // End at once: libwebsockets' own teardown closes descriptors twice and has nothing left to save.
        fflush(nil)
        _exit(ending.code)
    }

    private static let serving = "Serving."

    /// Reads everything again, and has the server take over what can change. A configuration with a fault changes nothing.
    private func reload(_ server: Server, _ log: ServerLog, _ manager: ServiceManager?) async {
        manager?.reloading()
        var status = Self.serving
        defer { manager?.ready(status) }
        var configuration: ServerConfiguration
        do throws(OperatorFailure) {
            configuration = try readConfiguration { log.log(.configWarning, $0) }
        } catch {
            status = "Serving, with the configuration as it was: \(error)"
            return log.log(.configRefused, "The configuration stays as it was. \(error)")
        }
        configuration.log = log
        let changes = await server.reload(configuration)
        let taken = changes.taken.isEmpty ? "no key has changed" : changes.taken.joined(separator: ", ")
        log.log(.configReloaded, "The configuration was read again. Now in force: \(taken).")
        if !changes.waiting.isEmpty {
            log.log(
                .configRestartNeeded,
                "These have changed and need a restart: \(changes.waiting.joined(separator: ", ")).")
        }
    }
}

/// Requests to end the process. At the second one it ends immediately.
private final class Ending: Sendable {
    private let count = Atomic<Int>(0)
    private let wantedCode = Atomic<Int32>(0)
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// Whether another process has taken over.
    var isLeft: Bool { hasSuccessor.load(ordering: .relaxed) }
    private let hasSuccessor = Atomic(false)

    /// Ends the process because another one has taken over.
    func leave() {
        hasSuccessor.store(true, ordering: .relaxed)
        continuation.yield()
    }

    /// The process's exit code.
    var code: Int32 { wantedCode.load(ordering: .relaxed) }

    /// Ends the process because the server can't go on.
    func ask(code: Int32) {
        wantedCode.store(code, ordering: .relaxed)
        continuation.yield()
    }

    func ask() {
        if count.add(1, ordering: .relaxed).oldValue > 0 { _exit(0) }
        continuation.yield()
    }

    func wait() async {
        for await _ in stream { return }
    }
}
