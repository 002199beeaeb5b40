internal import ArgumentParser
internal import SonaClient
internal import SonaWire

/// Shares something with a person, who is told of it.
struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Shares a room, a track, an album or a playlist with somebody who follows you.",
        discussion: """
              sonactl share bob --track 01K9F3Z6T3Q1V8M5N7R2X4C6B0 --text "For you"
              sonactl share bob --track 01K9F3Z6T3Q1V8M5N7R2X4C6B0 --at 83
              sonactl share bob --room @ada
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Option(help: "A room: its identifier, a link or @username.") var room: String?
    @Option(help: "A track, by identifier.") var track: MusicID?
    @Option(help: ArgumentHelp("The moment of the track, in seconds.", valueName: "seconds")) var at: Int?
    @Option(help: "An album, by identifier.") var album: MusicID?
    @Option(help: "A playlist, by identifier.") var playlist: MusicID?
    @Option(help: "What you say to it, at most 500 bytes.") var text: String?

    func validate() throws {
        guard [room != nil, track != nil, album != nil, playlist != nil].count(where: { $0 }) == 1 else {
            throw ValidationError("Name one thing: --room, --track, --album or --playlist.")
        }
        if let at, track == nil || !Limits.momentSeconds.contains(Int64(at)) {
            throw ValidationError(
                "--at goes with --track, and takes \(Limits.momentSeconds.lowerBound) to \(Limits.momentSeconds.upperBound)."
            )
        }
        if let text, !Limits.shareTextBytes.contains(text.utf8.count) {
            throw ValidationError("--text takes at most \(Limits.shareTextBytes.upperBound) bytes.")
        }
    }

    func run() async throws {
        let link = try room.map { try RoomArgument.link($0) }
        let request = ShareSend(
            user: try user.reference(), room: link?.reference, track: track, album: album,
            playlist: playlist, text: text, seconds: at)
        _ = try await global.withClient(.account, link: link) { try await $0.call(request) }
        Console.say("Shared.")
    }
}

/// Tells the operator of a server something.
struct FeedbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedback", abstract: "Tells whoever runs the server what you wish for, or what does not work.",
        discussion: "Administrators read it with sonactl report list --kind feedback.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "At most 1000 bytes.") var text: String

    func validate() throws {
        guard Limits.feedbackTextBytes.contains(text.utf8.count) else {
            throw ValidationError("Feedback has 1 to \(Limits.feedbackTextBytes.upperBound) bytes.")
        }
    }

    func run() async throws {
        _ = try await global.withClient(.anybody) { try await $0.call(FeedbackSend(text: text)) }
        Console.say("Sent. Thank you.")
    }
}
