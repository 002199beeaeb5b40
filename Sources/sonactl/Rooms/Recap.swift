internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Recap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the tracks played in a broadcast as a list for other programs.",
        discussion: """
            Of the last broadcast of the room, or of another by its session (see sonactl history), or of some time: \
            --from and --to take milliseconds since 1970, as sonactl history --json prints them.

              sonactl recap @ada
              sonactl recap @ada --format m3u -o evening.m3u8
              sonactl recap LINK --session 12 --format jspf -o friday.jspf

            M3U and JSPF are for players: they name the tracks and hold no sound. JSON has all there is. CSV is for \
            reports: a line for each track, with when it began.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Option(help: ArgumentHelp("How it is written: json, m3u, jspf or csv.", valueName: "json|m3u|jspf|csv"))
    var format = RecapFormat.json
    @Option(help: ArgumentHelp("The broadcast of this session. (default: the last)", valueName: "n"))
    var session: Int64?
    @Option(help: ArgumentHelp("Only plays that began at this time or later.", valueName: "ms")) var from: Int64?
    @Option(help: ArgumentHelp("Only plays that began before this time.", valueName: "ms")) var to: Int64?
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write it into this file, replacing its contents.", valueName: "file"))
    var output: String?

    func validate() throws {
        if let session, !Limits.playID.contains(session) { throw ValidationError("--session takes 1 and more.") }
        for time in [from, to].compactMap({ $0 }) where !(0...Limits.integerMax).contains(time) {
            throw ValidationError("--from and --to take milliseconds since 1970.")
        }
    }

    /// Whether it is made of lines, each of which ends.
    private var isText: Bool { format == .m3u || format == .csv }

    func run() async throws {
        let link = try room.link()
        let request = RoomRecap(
            room: link.reference, format: format, session: session, fromMilliseconds: from, toMilliseconds: to)
        let recap = try await global.withClient(.anybody, link: link) { try await $0.call(request) }
        guard let output, output != "-" else {
            return isText ? Console.out(lines: recap.text) : Console.out(json: Array(recap.text.utf8))
        }
        let file = try RecordingFile(path: output)
        try file.append(Array(recap.text.utf8) + (isText ? [] : [UInt8(ascii: "\n")]))
        file.finish()
        Console.say("\(recap.count) \(recap.count == 1 ? "track" : "tracks") in \(Console.printable(output)).")
    }
}

extension Console {
    /// Lines of data, with what speaks to terminals taken out.
    fileprivate static func out(lines text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) { out(printable(String(line))) }
    }
}
