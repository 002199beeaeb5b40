internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct RoomsAudience: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audience", abstract: "Shows how many have listened to your room, by broadcast.",
        discussion: """
            For the owner and the cohosts. Nobody is named, and who listened is not kept. A line has when the broadcast \
            began, how long it was, different listeners (accounts and guests), the most at one time, and the minutes that \
            all listened together.

              sonactl rooms audience @ada
              sonactl rooms audience @ada --csv >audience.csv
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @Option(help: "How many broadcasts, the newest first.") var count = Limits.audiencePageCountDefault
    @Flag(help: "Print comma-separated values, with times in milliseconds since 1970.") var csv = false
    @Flag(help: "Print one JSON object: the answer of the server.") var json = false

    func validate() throws {
        guard Limits.audiencePageCount.contains(Int64(count)) else { throw ValidationError("--count takes 1 to 100.") }
        if csv, json { throw ValidationError("Either --csv or --json.") }
    }

    func run() async throws {
        let link = try argument.link()
        let request = RoomAudience(room: link.reference, limit: count)
        let page = try await global.withClient(.account, link: link) { try await $0.call(request) }
        if json { return Console.out(json: page) }
        if csv { return show(lines: page.audiences) }
        if page.audiences.isEmpty { return Console.say("Nothing was played.") }
        var table = Table()
        for one in page.audiences {
            let length = one.untilMilliseconds.map { "\(max(0, $0 - one.fromMilliseconds) / 60_000) min" } ?? "goes on"
            table.add(
                UTC.text(milliseconds: one.fromMilliseconds), length, "\(one.listeners) listeners",
                "(\(one.accounts) accounts, \(one.guests) guests)", "\(one.peak) at most",
                "\(one.listenedMilliseconds / 60_000) listener-minutes")
        }
        table.show()
    }

    private func show(lines audiences: [Audience]) {
        Console.out("session,from_ms,until_ms,accounts,guests,peak,peak_ms,listened_ms")
        for one in audiences {
            let cells = [
                one.session, one.fromMilliseconds, one.untilMilliseconds, Int64(one.accounts), Int64(one.guests),
                Int64(one.peak), one.peakMilliseconds, one.listenedMilliseconds,
            ]
            Console.out(cells.map { $0.map(String.init) ?? "" }.joined(separator: ","))
        }
    }
}
