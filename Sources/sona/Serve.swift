import ArgumentParser
import Glibc
import SonaBase
import SonaEventLoop
import SonaServer
import Synchronization

/// `sona serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the server.",
        discussion: """
            Prints "listening on http://HOST:PORT" (https://… with TLS) for each address once all are bound. SIGTERM, SIGINT and SIGHUP close every \
            connection politely and end with 0; a second one ends at once.
            """)

    @OptionGroup var folder: DataFolderOption

    @Option(help: "HOST:PORT to listen on; may be repeated. Port 0 takes a free one.")
    var listen: [String] = ["127.0.0.1:8337"]

    @Option(help: "Threads that serve connections, 1 to \(EventLoop.loopCountMax). (default: the cores, at most 8)")
    var loops: Int?

    @Option(
        help: ArgumentHelp(
            "PEM file of the server's certificate and its chain up to the root; with --tls-key.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("PEM file of the certificate's private key, EC or RSA.", valueName: "file"))
    var tlsKey: String?

    @Flag(help: "Run a public room of the user `demo` that plays, so that there is something to hear.")
    var demo = false

    @Flag(help: "Offer /v1/echo, which returns every message: for conformance suites.")
    var echo = false

    @Option(
        help: ArgumentHelp(
            "Seconds to keep a lost connection's place in its room, 0 to 600. (default: 60)", valueName: "s"))
    var resumeSeconds: Int?

    @Option(
        help: ArgumentHelp(
            "HOST:PORT at which /metrics is served, besides the operator's socket. Everybody who reaches it may read it.",
            valueName: "HOST:PORT"))
    var metrics: String?

    @Option(
        help: ArgumentHelp(
            "An origin whose pages may use this server, besides its own; may be repeated.",
            valueName: "https://HOST[:PORT]"))
    var allowOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "A host name that requests without TLS may use, besides that of --public-url, IP addresses and names of local networks; * for any; may be repeated.",
            valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "A reverse proxy that is trusted to name its clients' addresses (X-Forwarded-For, Forwarded or PROXY protocol v2); may be repeated.",
            valueName: "address or CIDR"))
    var trustedProxy: [String] = []

    @Option(help: "An address to which per-address limits do not apply; may be repeated.")
    var exempt: [String] = []

    @Option(
        help: ArgumentHelp(
            "Factor by which each account's budgets for writing are raised (deploy/limits.md), 1 to 1000. (default: 1)",
            valueName: "times"))
    var accountBudgets = 1

    @Flag(help: "Replace keys missing from the data folder. Everything made with them becomes invalid.")
    var newKeys = false

    @OptionGroup(title: "Accounts")
    var accounts: AccountOptions

    func validate() throws {
        if let loops, !(1...EventLoop.loopCountMax).contains(loops) {
            throw ValidationError("--loops takes a number from 1 to \(EventLoop.loopCountMax).")
        }
        guard (1...1000).contains(accountBudgets) else {
            throw ValidationError("--account-budgets takes a number from 1 to 1000.")
        }
        if let resumeSeconds, !(0...600).contains(resumeSeconds) {
            throw ValidationError("--resume-seconds takes a number from 0 to 600.")
        }
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("TLS takes both --tls-cert and --tls-key.")
        }
        for address in exempt where !Self.isNumeric(address) {
            throw ValidationError("\"\(address)\" is not a numeric IP address.")
        }
        for range in trustedProxy where AddressRange(range) == nil {
            throw ValidationError("\"\(range)\" is no numeric IP address, and no range of them like 10.0.0.0/8.")
        }
        for origin in allowOrigin where !Self.isOrigin(origin) {
            throw ValidationError("\"\(origin)\" is not an origin like https://example.org.")
        }
        for host in allowHost where host != "*" && !(HostName.isValid(host) && !host.contains(":")) {
            throw ValidationError("\"\(host)\" is not the name of a host.")
        }
        for address in listen + [metrics].compactMap({ $0 }) where Self.parse(address) == nil {
            throw ValidationError("\"\(address)\" is not HOST:PORT (IPv6 hosts in brackets).")
        }
    }

    private static func isNumeric(_ address: String) -> Bool {
        var storage = in6_addr()
        return inet_pton(AF_INET, address, &storage) == 1 || inet_pton(AF_INET6, address, &storage) == 1
    }

    private static func isOrigin(_ text: String) -> Bool {
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
            return HostName.isValid(String(text.dropFirst(scheme.count)))
        }
        return false
    }

    /// Host and port of `HOST:PORT` or `[IPv6]:PORT`.
    static func parse(_ address: String) -> (host: String, port: Int)? {
        guard let colon = address.lastIndex(of: ":"), let port = Int(address[address.index(after: colon)...]),
            (0...65535).contains(port)
        else { return nil }
        var host = address[..<colon]
        if host.hasPrefix("[") && host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        return host.isEmpty ? nil : (String(host), port)
    }

    private func makeConfiguration() -> ServerConfiguration {
        var configuration = ServerConfiguration(dataFolder: folder.data)
        configuration.publicAddress = accounts.publicURL
        configuration.policyAddress = accounts.policyURL
        configuration.mail = accounts.mail
        configuration.firebase = accounts.firebase
        configuration.addresses = listen.compactMap(Self.parse)
        configuration.exempt = Set(exempt)
        configuration.metricsAddress = metrics.flatMap(Self.parse)
        configuration.allowedOrigins = Set(allowOrigin)
        configuration.allowedHosts = Set(allowHost)
        configuration.trustedProxies = trustedProxy.compactMap { AddressRange($0) }
        configuration.loopCount = loops ?? min(8, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        if let resumeSeconds { configuration.resumeSeconds = resumeSeconds }
        configuration.budgetFactor = accountBudgets
        configuration.makesLostKeys = newKeys
        configuration.hasEcho = echo
        configuration.hasDemo = demo
        // This very program, even if its file was replaced since.
        configuration.workerProgram = "/proc/self/exe"
        configuration.siteFolder = Environment["SONA_SITE"]
        return configuration
    }

    /// Called before anything is bound or made: without its certificate the server must not start.
    private func readIdentity() throws -> TLSIdentity? {
        guard let tlsCert, let tlsKey else { return nil }
        do {
            return try TLSIdentity(certificateFile: tlsCert, keyFile: tlsKey)
        } catch {
            ConsoleLine.write(to: 2, "sona: \(error.detail).")
            throw ExitCode(78)
        }
    }

    func run() async throws {
        DescriptorLimit.raise()
        var configuration = makeConfiguration()
        configuration.identity = try readIdentity()
        let ending = Ending()
        configuration.notice = { notice in
            switch notice {
            case .line(let sentence): ConsoleLine.write(to: 2, "sona: \(sentence)")
            case .mustEnd(let sentence):
                ConsoleLine.write(to: 2, "sona: \(sentence)")
                // A supervisor starts the server again, which then reads the file again.
                ending.ask(code: 74)
            }
        }
        let server = Server(configuration)
        ProcessSignals.handle { _ in ending.ask() }
        do {
            let scheme = configuration.identity == nil ? "http" : "https"
            for address in try await server.start() { ConsoleLine.write(to: 1, "listening on \(scheme)://\(address)") }
            if let address = await server.metricsAddress {
                ConsoleLine.write(to: 1, "metrics on http://\(address)/metrics")
            }
        } catch {
            ConsoleLine.write(to: 2, "sona: \(error.sentence)")
            throw ExitCode(error.exitCode)
        }
        await ending.wait()
        // The process ends even if something hangs.
        Task.detached { [seconds = configuration.drainSecondsMax + 2 * configuration.writingSecondsMax] in
            try? await Task.sleep(for: .seconds(seconds))
            ConsoleLine.write(to: 2, "sona: stopping took too long; everything acknowledged is on disk")
            _exit(1)
        }
        if await server.drain() > 0 {
            ConsoleLine.write(to: 2, "sona: the disk does not answer; the last changes of rooms may be lost")
        }
        // End at once: libwebsockets' own teardown closes descriptors twice and has nothing left to save.
        fflush(nil)
        _exit(ending.code)
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
