internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct LibraryLyrics: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lyrics", abstract: "Shows the words of a track.",
        discussion: "Lines with times have them before the words, as minutes:seconds.hundredths.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The identifier.") var track: MusicID
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let lyrics = try await global.withClient(.anybody) { try await $0.call(TrackLyrics(track: track)) }
        if json { return Console.out(json: lyrics) }
        if let text = lyrics.text { Console.out(text) }
        for line in lyrics.lines ?? [] {
            let (seconds, hundredths) = (line.atMilliseconds / 1_000, line.atMilliseconds % 1_000 / 10)
            let time = [seconds / 60, seconds % 60, hundredths].map { $0 < 10 ? "0\($0)" : "\($0)" }
            Console.out("\(time[0]):\(time[1]).\(time[2])  \(line.text)")
        }
    }
}
