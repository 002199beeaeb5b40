import DeliveryLoad
import Foundation

struct Programs {
    var sona: URL
    var bare: URL
    var nio: URL?
    var counts: URL?
}

/// The measured server and its setup.
struct Entrant {
    enum Program { case bare, nio, sona }

    var name: String
    var program: Program
    var arguments: [String] = []
    var delivery = "interactive"
    var tls = false
    var loops = 1

    static let bare = Entrant(name: "bare", program: .bare)
    static let nioIdiomatic = Entrant(name: "NIO, idiomatic", program: .nio)
    static let nioTuned = Entrant(name: "NIO, tuned", program: .nio, arguments: ["--tuned"])
    static let interactive = Entrant(name: "Sona, interactive", program: .sona)
    static let inRooms = Entrant(name: "Sona, rooms of 8", program: .sona)
    static let bareInRooms = Entrant(name: "bare, rooms of 8", program: .bare)
    static let party = Entrant(name: "Sona, party", program: .sona, delivery: "party")
    static let partyInRooms = Entrant(name: "Sona, party, rooms of 8", program: .sona, delivery: "party")
    static let secure = Entrant(name: "Sona, interactive, TLS", program: .sona, tls: true)
    static let secureParty = Entrant(name: "Sona, party, TLS", program: .sona, delivery: "party", tls: true)
    static let twoLoops = Entrant(name: "Sona, two loops", program: .sona, loops: 2)
}

/// A server of this run, which ends with it.
final class RunningServer {
    let process: Process
    let port: UInt16
    /// The address of Sona's figures. `nil` for other servers.
    let metricsPort: UInt16
    let status: ServerProcess
    private let folder: URL

    fileprivate init(process: Process, port: UInt16, metricsPort: UInt16, folder: URL) {
        self.process = process
        self.port = port
        self.metricsPort = metricsPort
        self.folder = folder
        status = ServerProcess(pid: process.processIdentifier)
    }

    /// At once: what it does at its end is not measured, and its data are thrown away.
    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    deinit { if process.isRunning { stop() } }
}

/// Starts servers, all on one core.
struct Stage {
    var programs: Programs
    var folder: URL
    var core: Int

    /// - Parameters:
    ///   - realTime: Under SCHED_RR.
    ///   - preload: Environment for `env`.
    func start(_ entrant: Entrant, realTime: Bool = false, preload: [String] = []) throws -> RunningServer {
        let place = folder.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Whatever ends the benchmark ends its servers.
        process.arguments =
            ["setpriv", "--pdeathsig", "KILL"] + (realTime ? ["chrt", "-r", "10"] : [])
            + ["taskset", "-c", String(core), "env"] + preload + [try program(entrant).path]
            + (try arguments(entrant, place))
        let output = Pipe()
        process.standardOutput = output
        let errors = place.appendingPathComponent("errors")
        try Data().write(to: errors)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        // A line says where it listens; Sona's next line, where its figures are.
        let lines = process.arguments?.contains("--metrics") == true ? 2 : 1
        var said = ""
        while said.count(where: { $0 == "\n" }) < lines {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            said += String(decoding: more, as: UTF8.self)
        }
        let ports = said.split(separator: "\n").compactMap(Self.port)
        guard let port = ports.first, ports.count >= lines else {
            process.waitUntilExit()
            let words = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw Failure("\(entrant.name) does not listen: \(said)\(words)")
        }
        return RunningServer(process: process, port: port, metricsPort: ports[lines - 1], folder: place)
    }

    private static func port(_ line: Substring) -> UInt16? {
        line.split(separator: ":").last.flatMap { UInt16($0.prefix(while: \.isNumber)) }
    }

    private func program(_ entrant: Entrant) throws -> URL {
        switch entrant.program {
        case .bare: return programs.bare
        case .sona: return programs.sona
        case .nio:
            guard let nio = programs.nio else { throw Skipped(reason: "there is no SwiftNIO server") }
            return nio
        }
    }

    private func arguments(_ entrant: Entrant, _ place: URL) throws -> [String] {
        guard entrant.program == .sona else { return entrant.arguments }
        var arguments = [
            "serve", "--data", place.appendingPathComponent("data").path, "--listen", "127.0.0.1:0",
        ]
        let help = try output(of: [programs.sona.path, "serve", "--help"])
        if help.contains("--metrics") { arguments += ["--metrics", "127.0.0.1:0"] }
        for source in Socket.sources { arguments += ["--exempt", source] }
        if help.contains("--loops") {
            arguments += ["--loops", String(entrant.loops)]
        } else if entrant.loops != 1 {
            throw Skipped(reason: "this server does not take --loops")
        }
        if entrant.tls {
            guard help.contains("--tls-cert") else { throw Skipped(reason: "this server does not take --tls-cert") }
            let (certificate, key) = try certificate(place)
            arguments += ["--tls-cert", certificate.path, "--tls-key", key.path]
        }
        return arguments
    }

    /// For P-256, as a certificate authority would sign it today.
    private func certificate(_ place: URL) throws -> (URL, URL) {
        let certificate = place.appendingPathComponent("certificate.pem")
        let key = place.appendingPathComponent("key.pem")
        _ = try output(of: [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=localhost", "-keyout", key.path, "-out", certificate.path,
        ])
        return (certificate, key)
    }

    /// Standard output of a program that ends with 0.
    func output(of command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                "\(command.joined(separator: " ")) ends with \(process.terminationStatus): \(words.prefix(500))")
        }
        return text
    }
}

/// A server, its rooms, and their place in a generator.
struct Venue {
    var entrant: Entrant
    var server: RunningServer
    var side: Int
    var rooms: Range<Int>
    var http: HTTP

    init(_ entrant: Entrant, _ server: RunningServer, rooms count: Int, greets: Bool = false, _ generator: Generator)
        throws
    {
        self.entrant = entrant
        self.server = server
        let secure = entrant.tls ? try Secure() : nil
        http = HTTP(port: server.port, secure: secure)
        side = generator.addServer(port: server.port, sona: entrant.program == .sona, secure: secure)
        var numbers: [Int] = []
        if entrant.program == .sona {
            for room in try SonaRooms(http, prefix: "host").make(count, delivery: entrant.delivery) {
                numbers.append(generator.addRoom(side: side, id: room.id, token: room.token))
            }
        } else {
            precondition(count == 1 || entrant.program == .bare, "SwiftNIO's server knows one room")
            for _ in 0..<count { numbers.append(generator.addRoom(side: side, greets: greets)) }
        }
        rooms = numbers[0]..<numbers[0] + count
    }

    /// A counter of `/metrics`.
    func metric(_ name: String) throws -> Int {
        let page = try HTTP(port: server.metricsPort).get("/metrics")
        for line in page.split(whereSeparator: \.isNewline) where line.hasPrefix(name + " ") {
            return Int(line.dropFirst(name.count + 1)) ?? 0
        }
        throw Failure("the server has no \(name)")
    }

    /// Packets that were delivered, and the writes it took; nil where the server does not count both.
    func writes() -> (packets: Int, writes: Int)? {
        guard entrant.program == .sona, let packets = try? delivered(),
            let writes = try? metric("sona_audio_writes_total")
        else { return nil }
        return (packets, writes)
    }

    func delivered() throws -> Int { try metric("sona_audio_packets_delivered_total") }
}
