internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the tracks played in a room, newest first.",
        discussion: """
            A line for each track: when its sound began, session, title and artist, length, host. Tracks of one \
            broadcast have the same session. A track stands here once it can be heard, also if it was paused meanwhile.

              sonactl history @ada --limit 20
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Option(help: ArgumentHelp("At most so many, 1 to 10000.", valueName: "n")) var limit = 50
    @Flag(help: "Print one JSON object: {\"plays\": […], \"next_before\"}.") var json = false

    func validate() throws {
        guard 1...10_000 ~= limit else { throw ValidationError("--limit takes 1 to 10000.") }
    }

    func run() async throws {
        let link = try room.link()
        let page = try await global.withClient(.anybody, link: link) { client in
            var all = PlayPage(plays: [], nextBefore: nil)
            repeat {
                let page = try await client.call(
                    RoomHistory(
                        room: link.reference, before: all.nextBefore,
                        limit: min(Int(Limits.historyPageCount.upperBound), limit - all.plays.count)))
                all = PlayPage(plays: all.plays + page.plays, nextBefore: page.nextBefore)
            } while all.nextBefore != nil && all.plays.count < limit
            return all
        }
        if json { return Console.out(json: page) }
        var table = Table()
        for play in page.plays { play.add(to: &table) }
        table.show()
        if page.plays.isEmpty { Console.say("Nothing was played yet.") }
        if page.nextBefore != nil { Console.say("There is more; ask for it with --limit.") }
    }
}

extension RoomPlay {
    fileprivate func add(to table: inout Table) {
        table.add(
            Console.date(milliseconds: atMilliseconds), String(session), track.line,
            track.durationMicroseconds.map { String(Console.time($0).dropLast(4)) } ?? "", host?.label ?? "")
    }
}
