internal import ArgumentParser
internal import Glibc
internal import SonaBase
internal import SonaClient
internal import SonaWire

/// Options of every command.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Address of the server; unix:DATA for the operator's socket in its data folder. (default: SONA_SERVER or \
            http://127.0.0.1:8337)
            """, valueName: "url"))
    var server: String?

    @Option(help: "Access token to use instead of the one kept by login. (default: SONA_TOKEN)")
    var token: String?

    @Option(
        name: .customLong("ca-cert"),
        help: ArgumentHelp(
            "PEM file of certificates to trust for https, in place of the system's. (default: SONA_CA_CERT)",
            valueName: "file"))
    var authorityFile: String?

    /// - Parameter link: Where the room's link leads, which counts if nothing else names a server.
    func address(link: RoomLink? = nil) throws -> ServerAddress {
        guard let text = server ?? Environment["SONA_SERVER"] ?? link?.server else { return .standard }
        do {
            var address = try ServerAddress(text)
            address.authorityFile = try readableAuthorityFile()
            return address
        } catch let error as ServerAddress.Invalid {
            throw Failure(64, error.description)
        }
    }

    /// The operator's socket, if the server was named by it.
    func operatorSocket() throws -> OperatorSocket? {
        guard let text = server ?? Environment["SONA_SERVER"], text.hasPrefix("unix:") else { return nil }
        guard let socket = OperatorSocket(text) else {
            throw Failure(64, "Write unix:DATA, the server's data folder, or unix:DATA/admin.sock.")
        }
        return socket
    }

    /// Runs `body` with the operator's socket if the server was named by it, else with a connection of somebody who is
    /// signed in.
    func asOperator<Result>(
        _ need: SignIn.Need = .account, link: RoomLink? = nil, _ body: (any Asking) async throws -> Result
    ) async throws -> Result {
        if let socket = try operatorSocket() { return try await body(socket) }
        return try await withClient(need, link: link) { try await body($0) }
    }

    /// Asks for what nobody but the operator may do.
    func ofOperatorAlone<R: WireRequest>(_ request: R) async throws -> R.Response {
        guard let socket = try operatorSocket() else {
            throw Failure(
                64, "The operator alone may do that, at the server's machine: --server unix:DATA, its data folder.")
        }
        return try await socket.call(request, timeout: .seconds(60))
    }

    private func readableAuthorityFile() throws -> String? {
        guard let file = authorityFile ?? Environment["SONA_CA_CERT"] else { return nil }
        guard access(file, R_OK) == 0 else {
            throw Failure(66, Console.printable("\(file) can't be read: \(String(cString: strerror(errno)))."))
        }
        return file
    }

    func signIn(link: RoomLink? = nil) throws -> SignIn {
        SignIn(
            address: try address(link: link), program: Program(name: "sonactl", version: SonaCtl.version),
            token: token ?? Environment["SONA_TOKEN"], store: CredentialStore(environment: Environment.all))
    }

    /// Runs `body` with a connection that is closed afterwards.
    func withClient<Result>(
        _ need: SignIn.Need, link: RoomLink? = nil, _ body: (Client) async throws -> Result
    ) async throws -> Result {
        try await signIn(link: link).open(need).closing(body)
    }

    /// Takes `--server`, `--token` and `--ca-cert` in front of the command away and puts them where the environment's values are.
    static func takeLeading(_ arguments: [String]) -> [String] {
        let leading = [("--server", "SONA_SERVER"), ("--token", "SONA_TOKEN"), ("--ca-cert", "SONA_CA_CERT")]
        var rest = arguments[...]
        while let first = rest.first {
            var taken = false
            for (option, variable) in leading where !taken {
                if first == option, let value = rest.dropFirst().first {
                    setenv(variable, value, 1)
                    rest = rest.dropFirst(2)
                    taken = true
                } else if first.hasPrefix(option + "=") {
                    setenv(variable, String(first.dropFirst(option.count + 1)), 1)
                    rest = rest.dropFirst()
                    taken = true
                }
            }
            if !taken { break }
        }
        return Array(rest)
    }
}

/// A room on the command line.
struct RoomArgument: ParsableArguments {
    @Argument(
        help: "The room: its identifier, a link to it, or @username.",
        completion: .custom { words, _, beginning in RoomCompletion.candidates(words, beginning) })
    var room: String

    func link() throws -> RoomLink { try Self.link(room) }

    /// The code of an invite, if the room was named by its link: the part after the `#`.
    func inviteCode() -> String? {
        guard let mark = room.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
        let code = room[room.utf8.index(after: mark)...]
        return code.isEmpty ? nil : String(code)
    }

    static func link(_ text: String) throws -> RoomLink {
        guard let link = RoomLink(text) else {
            // The part after a `#` may open a room, so it is not shown.
            let name = Console.printable(String(text.prefix { $0 != "#" }))
            throw Failure(
                66, "There is no room \"\(name)\": a room is 20 letters and digits, a link, or @username.")
        }
        return link
    }
}

extension Environment {
    /// The variables that say where credentials are kept.
    static var all: [String: String] {
        ["XDG_CONFIG_HOME", "HOME"].reduce(into: [:]) { $0[$1] = Self[$1] }
    }
}
