internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct RoomsSongRequests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "Lets visitors without an account ask a room for tracks.",
        discussion: """
            They search and ask at /embed/requests/ROOM, which other pages may frame, or over HTTP. What they ask for is \
            approved first, or waits at once, as the queue's rules say. With a playlist they find what is in it, else what \
            guests of the server see.

              sonactl rooms requests @ada on --playlist 01JDQ70A2B4C6D8E0F1G3H5J7K
            """)

    enum Switch: String, CaseIterable, ExpressibleByArgument {
        case on, off
    }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @Argument(help: "on or off. Without it, what is set is shown.") var state: Switch?
    @Option(help: ArgumentHelp("Only what is in this playlist.", valueName: "id")) var playlist: MusicID?
    @Flag(help: "Print one JSON object: the answer of the server.") var json = false

    func validate() throws {
        if playlist != nil, state != .on { throw ValidationError("--playlist goes with on.") }
    }

    func run() async throws {
        let link = try argument.link()
        let result = try await global.withClient(.account, link: link) { client in
            guard let state else { return try await client.call(SongRequestsGet(room: link.reference)) }
            return try await client.call(
                SongRequestsSet(room: link.reference, isOn: state == .on, playlist: playlist))
        }
        if json { return Console.out(json: result) }
        guard result.songRequests.isOn else { return Console.out("off") }
        Console.out(result.songRequests.playlist.map { "on, from the playlist \($0.rawValue)" } ?? "on")
    }
}
