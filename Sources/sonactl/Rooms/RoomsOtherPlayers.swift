internal import ArgumentParser
internal import SonaClient
internal import SonaWire

/// Prints addresses.
struct RoomsAddresses: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "addresses",
        abstract: "Prints addresses at which other players hear a room.",
        discussion: """
            mpv, VLC, radios and browsers play them. Those of a room that not everybody may hear are signed in your name: \
            whoever has one hears the room as you do, until you sign out (sonactl logout).
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @Flag(help: "Print one JSON object: the answer of the server.") var json = false

    func run() async throws {
        let link = try argument.link()
        let (paths, server) = try await global.withClient(.account, link: link) { client in
            (try await client.call(ListenAddresses(room: link.reference)), client.address)
        }
        if json { return Console.out(json: paths) }
        for (name, path) in [
            ("Ogg Opus", paths.opus), ("MP3", paths.mp3), ("M3U", paths.m3u), ("PLS", paths.pls), ("XSPF", paths.xspf),
        ] { Console.out("\(name): \(server)\(path)") }
    }
}

/// Makes and revokes the key by which a program that speaks Icecast hosts a room.
struct RoomsSource: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source",
        abstract: "Shows, makes or revokes the key by which a program that speaks Icecast hosts a room.",
        discussion: """
            ffmpeg, OBS, Mixxx, butt, liquidsoap and others host a room with it, in your name. The key is shown once; a new \
            one takes the place of the one before.

              sonactl rooms source @ada make
              ffmpeg -re -i set.flac -c:a libopus -b:a 128k -page_duration 20000 -content_type audio/ogg -f ogg \\
                icecast://source:KEY@HOST:PORT/ROOM
            """)

    enum Action: String, CaseIterable, ExpressibleByArgument {
        case make, revoke
    }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @Argument(help: "make or revoke. Without it, what there is is shown.") var action: Action?
    @Flag(help: "Print one JSON object: the answer of the server.") var json = false

    func run() async throws {
        let link = try argument.link()
        let action = self.action
        let (key, result) = try await global.withClient(.account, link: link) { client in
            switch action {
            case .make:
                let made = try await client.call(SourceMakeKey(room: link.reference))
                return (made as SourceKeyResult?, SourceResult(source: made.source))
            case .revoke: return (nil, try await client.call(SourceRevokeKey(room: link.reference)))
            case nil: return (nil, try await client.call(SourceGet(room: link.reference)))
            }
        }
        if json {
            if let key { return Console.out(json: key) }
            return Console.out(json: result)
        }
        if let key { Console.out("Key: \(key.key)") }
        Console.out("Mount: \(result.source.mount)")
        Console.out(result.source.port.map { "Port: \($0)" } ?? "Port: this server takes no sources (icecast-listen)")
        if key == nil { Console.out(result.source.keyMadeMilliseconds == nil ? "No key" : "There is a key") }
    }
}
