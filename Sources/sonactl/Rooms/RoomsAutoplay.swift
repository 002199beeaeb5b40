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
              sonactl rooms autoplay @ada on --jingles 01JDQ71V5N9R3T7W2Y6Z8A0C4E --every-tracks 4
              sonactl pause @ada
            """)

    enum Switch: String, CaseIterable, ExpressibleByArgument {
        case on, off
    }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @Argument(help: "on or off. Without it, what is set is shown.") var state: Switch?
    @Option(help: ArgumentHelp("The playlist for times without a queue.", valueName: "id")) var playlist: MusicID?
    @Option(help: ArgumentHelp("A playlist of jingles to play between tracks.", valueName: "id")) var jingles: MusicID?
    @Option(help: "A jingle comes after so many tracks, 1 to 100.") var everyTracks: Int?
    @Option(help: "A jingle comes at the first change of tracks after so many minutes, 1 to 1440.") var everyMinutes:
        Int?
    @Flag(help: "Play no jingles any more. Without this and --jingles they stay as they are.") var noJingles = false
    @Flag(help: "Print one JSON object: the answer of the server.") var json = false

    func validate() throws {
        if playlist != nil, state != .on { throw ValidationError("--playlist goes with on.") }
        if state == nil, jingles != nil || noJingles { throw ValidationError("--jingles goes with on or off.") }
        guard jingles != nil else {
            if everyTracks != nil || everyMinutes != nil { throw ValidationError("How often goes with --jingles.") }
            return
        }
        if noJingles { throw ValidationError("Either --jingles or --no-jingles.") }
        guard everyTracks != nil || everyMinutes != nil else {
            throw ValidationError("How often does a jingle come? Give --every-tracks or --every-minutes.")
        }
        guard everyTracks.map({ Limits.jingleTracks.contains(Int64($0)) }) ?? true,
            everyMinutes.map({ Limits.jingleMinutes.contains(Int64($0)) }) ?? true
        else { throw ValidationError("1 to 100 tracks, 1 to 1440 minutes for a jingle.") }
    }

    func run() async throws {
        let link = try argument.link()
        let result = try await global.withClient(.account, link: link) { client in
            guard let state else { return try await client.call(AutoplayGet(room: link.reference)) }
            var set = AutoplaySet(room: link.reference, isOn: state == .on, playlist: playlist)
            if let jingles {
                set.jingles = Jingles(playlist: jingles, everyTracks: everyTracks, everyMinutes: everyMinutes)
            } else if !noJingles {
                set.jingles = try await client.call(AutoplayGet(room: link.reference)).autoplay.jingles
            }
            return try await client.call(set)
        }
        if json { return Console.out(json: result) }
        let autoplay = result.autoplay
        let list = autoplay.playlist.map { ", with the playlist \($0.rawValue)" } ?? ""
        Console.out((autoplay.isOn ? "on\(list)" : "off") + (autoplay.jingles.map(Self.text) ?? ""))
    }

    private static func text(_ jingles: Jingles) -> String {
        let often = [
            jingles.everyTracks.map { $0 == 1 ? "after each track" : "after \($0) tracks" },
            jingles.everyMinutes.map { $0 == 1 ? "after a minute" : "after \($0) minutes" },
        ]
        let rule = often.compactMap(\.self).joined(separator: " or ")
        return ", a jingle of \(jingles.playlist.rawValue) \(rule)"
    }
}
