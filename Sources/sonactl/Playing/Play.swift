internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Resumes playback, for the room's owner; or plays a track of the library to a file.",
        discussion: """
            With --output, and the identifier of a track in place of a room, the track is fetched as Ogg Opus:

              sonactl play 01K9F3Z6T3Q1V8M5N7R2X4C6B0 --output - | ffplay -nodisp -autoexit -
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Option(help: "A file, a folder that exists, or - for standard output; for tracks.") var output: String?
    @Argument(help: "Place in the track to play from, in seconds. (default: where it stands)") var seconds: Double?
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws { try Seek.check(seconds) }

    func run() async throws {
        if let output {
            guard let track = MusicID(argument: room.room) else {
                throw Failure(66, "With --output a track is played: an identifier of 26 letters and digits.")
            }
            let download = MusicDownload(of: track, as: .opus, by: try global.signIn())
            return try await TrackOutput(output).write(download, fallback: "\(track.rawValue).opus")
        }
        let link = try room.link()
        let request = PlaybackPlay(room: link.reference, positionMicroseconds: seconds.map(Seek.microseconds))
        try await global.steer(link, request, json: json)
    }
}

struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Pauses playback. For the room's owner.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let link = try room.link()
        try await global.steer(link, PlaybackPause(room: link.reference), json: json)
    }
}

struct Seek: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Seeks within the track. For the room's owner.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Argument(help: "Seconds from the beginning of the track, such as 83.5.") var seconds: Double
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws { try Self.check(seconds) }

    func run() async throws {
        let link = try room.link()
        let request = PlaybackSeek(room: link.reference, positionMicroseconds: Self.microseconds(seconds))
        try await global.steer(link, request, json: json)
    }

    /// A thousand days are more than any track has, and far from what an integer cannot hold.
    static func check(_ seconds: Double?) throws {
        guard let seconds, !(0...86_400_000).contains(seconds) else { return }
        throw ValidationError("SECONDS must be 0 or more.")
    }

    static func microseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1_000_000).rounded()) }
}

extension GlobalOptions {
    /// Sends a command to a room's host and shows where the room is to stand.
    fileprivate func steer<R: WireRequest>(
        _ link: RoomLink, _ request: R, json: Bool
    ) async throws where R.Response == PlaybackResult {
        try await withClient(.account, link: link) { client in
            // The server gives the host its time, and then answers.
            let result = try await client.call(request, timeout: .seconds(20))
            let now = result.serverMicroseconds ?? client.serverNow
            let settled = PlaybackView(result.playback, upcoming: result.upcoming).final
            PositionReport(serverMicroseconds: now, playback: settled).show(json: json)
        }
    }
}
