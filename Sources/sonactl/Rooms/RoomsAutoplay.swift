internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct RoomsAutoplay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "autoplay", abstract: "Has a room play its queue by itself, or shows whether it does.",
        discussion: """
            The server plays the tracks of its library that the room's queue names, while nobody hosts the room. With a \
            playlist it goes on from there when the queue is empty:

              sonactl queue add @ada --source 01JDQ6Z3M8R5V2K7X4N9T1B0CF
              sonactl rooms autoplay @ada on --playlist 01JDQ70A2B4C6D8E0F1G3H5J7K
              sonactl pause @ada
            """)

    enum Switch: String, CaseIterable, ExpressibleByArgument {
        case on, off
    }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @Argument(help: "on or off. Without it, what is set is shown.") var state: Switch?
    @Option(help: ArgumentHelp("The playlist for times without a queue.", valueName: "id")) var playlist: MusicID?
    @Flag(help: "Print one JSON object: the answer of the server.") var json = false

    func validate() throws {
        if playlist != nil, state != .on { throw ValidationError("--playlist goes with on.") }
    }

    func run() async throws {
        let link = try argument.link()
        let result = try await global.withClient(.account, link: link) { client in
            guard let state else { return try await client.call(AutoplayGet(room: link.reference)) }
            return try await client.call(
                AutoplaySet(room: link.reference, isOn: state == .on, playlist: playlist))
        }
        if json { return Console.out(json: result) }
        guard result.autoplay.isOn else { return Console.out("off") }
        Console.out(result.autoplay.playlist.map { "on, with the playlist \($0.rawValue)" } ?? "on")
    }
}
