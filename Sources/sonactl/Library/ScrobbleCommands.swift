internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct ScrobbleCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scrobbling", abstract: "Sends what you hear to ListenBrainz, Maloja or Last.fm.",
        discussion: """
            A track is sent once half of it, or four minutes, were heard, alone or in a room, if it is longer than 30 s. \
            Nothing is sent of what you hear privately.

              sonactl scrobbling connect listenbrainz
              sonactl scrobbling connect listenbrainz --address https://music.example.org/apis/listenbrainz
              sonactl scrobbling connect lastfm
              sonactl scrobbling list
            """,
        subcommands: [ScrobbleListCommand.self, ScrobbleConnectCommand.self, ScrobbleDisconnectCommand.self])
}

struct ScrobbleListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the services that get what you hear.",
        discussion: """
            A line for each: identifier, service, state, your name there, how many listens wait and were sent, what went \
            wrong last, and its address.
            """)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func run() async throws {
        let list = try await global.withClient(.account) { try await $0.call(ScrobbleList()) }
        if json { return Console.out(json: list) }
        if list.connections.isEmpty { return Console.say("sonactl: Nothing is connected.") }
        var table = Table()
        for one in list.connections {
            table.add(
                "\(one.id)", one.service, one.state.rawValue, one.name ?? "-", "\(one.waitingCount) waiting",
                "\(one.sentCount) sent", one.error ?? "-", one.address ?? "")
        }
        table.show()
    }
}

struct ScrobbleConnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect", abstract: "Sends what you hear from now on to a service.",
        discussion: """
            ListenBrainz shows your token at https://listenbrainz.org/settings/, Maloja its keys among its settings. The \
            token is read from --token-file, or asked for. Last.fm asks you in a browser.
            """)

    enum Service: String, CaseIterable, ExpressibleByArgument {
        case listenbrainz, lastfm
    }

    @OptionGroup var global: GlobalOptions
    @Argument(help: "listenbrainz or lastfm.") var service: Service
    @Option(help: ArgumentHelp("The service's address with its path, where it is not the usual one.", valueName: "url"))
    var address: String?
    @Option(
        help: ArgumentHelp("File whose first line is the token, - for standard input.", valueName: "file"))
    var tokenFile: String?
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func validate() throws {
        if service == .lastfm, address != nil || tokenFile != nil {
            throw ValidationError("Last.fm takes neither --address nor --token-file.")
        }
    }

    func run() async throws {
        let connected =
            switch service {
            case .listenbrainz: try await connectByToken()
            case .lastfm: try await connectByBrowser()
            }
        if json { return Console.out(json: connected) }
        let connection = connected.connection
        Console.out(
            "Connected \(connection.service)" + (connection.name.map { " as \($0)" } ?? "") + ".")
    }

    private func connectByToken() async throws -> ScrobbleConnected {
        let token: String
        if let tokenFile {
            token = try SecretLine.read(tokenFile, of: "a token")
        } else if let terminal = Terminal() {
            token = try terminal.askSecretly("Token: ")
        } else {
            throw Failure(64, "There is no terminal to ask for the token; use --token-file.")
        }
        return try await global.withClient(.account) {
            try await $0.call(ScrobbleConnect(service: .listenbrainz, address: address, token: token))
        }
    }

    private func connectByBrowser() async throws -> ScrobbleConnected {
        try await global.withClient(.account) { client in
            let begun = try await client.call(ScrobbleAuthorize(service: .lastfm))
            Console.say("Allow it in a browser, then press Enter:\n\(begun.url)")
            _ = Swift.readLine()
            return try await client.call(ScrobbleConnect(service: .lastfm, token: begun.token))
        }
    }
}

struct ScrobbleDisconnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disconnect", abstract: "Sends nothing more to a service, and forgets what waits for it.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The identifier in sonactl scrobbling list.") var id: Int64

    func run() async throws {
        _ = try await global.withClient(.account) { try await $0.call(ScrobbleDisconnect(id: id)) }
    }
}
