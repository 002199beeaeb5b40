internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct RoomsReplays: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replays", abstract: "Lists, shows and removes replays of a room.",
        discussion: """
            A room keeps replays if its owner says so: what is heard, with the chat and the reactions at their moments.

              sonactl rooms update @ada --replays
              sonactl rooms replays list @ada
              sonactl rooms replays show 01K9F3Z6T3Q1V8M5N7R2X4C6B0
            """,
        subcommands: [
            RoomsReplaysList.self, RoomsReplaysShow.self, RoomsReplaysRecordings.self, RoomsReplaysRemove.self,
            RoomsReplaysRemoveRecording.self,
        ])
}

struct RoomsReplaysList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the replays of a room, newest first.",
        discussion: "A line for each: identifier, beginning in UTC, length, number of tracks.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @Flag(help: "Print one JSON object: {\"replays\": […], \"next_before\"}.") var json = false

    func run() async throws {
        let link = try argument.link()
        let page = try await global.withClient(.anybody, link: link) { client in
            var all = ReplayPage(replays: [], nextBefore: nil)
            repeat {
                let page = try await client.call(
                    ReplayList(
                        room: link.reference, before: all.nextBefore,
                        limit: Int(Limits.replayPageCount.upperBound)))
                all = ReplayPage(replays: all.replays + page.replays, nextBefore: page.nextBefore)
            } while all.nextBefore != nil
            return all
        }
        if json { return Console.out(json: page) }
        var table = Table()
        for replay in page.replays { replay.add(to: &table) }
        table.show()
        if page.replays.isEmpty { Console.say("No replay is kept.") }
    }
}

struct RoomsReplaysShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows what was heard and said in a replay, in its order.",
        discussion: "A line for each: the moment since the beginning, then a track, a message, or reactions.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The replay's identifier.") var replay: ReplayID
    @Flag(help: "Print one JSON object: {\"replay\", \"passages\", \"plays\", \"messages\", \"reactions\"}.")
    var json = false

    func run() async throws {
        let found = try await global.withClient(.anybody) { [replay] client in try await Found(replay, client) }
        if json {
            return Console.out { writer in
                writer.member("replay", found.replay)
                writer.member("passages", found.passages)
                writer.member("plays", found.plays)
                writer.member("messages", found.messages)
                writer.member("reactions", found.reactions)
            }
        }
        for line in found.lines { Console.out(Console.printable(line)) }
    }
}

struct RoomsReplaysRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forgets a replay of a room of yours.",
        discussion: """
            What was said stays in the room's chat, and what was heard in its history, as long as those are kept.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The replay's identifier.") var replay: ReplayID

    func run() async throws {
        _ = try await global.withClient(.account) { [replay] client in
            try await client.call(ReplayRemove(replay: replay))
        }
    }
}

/// All of a replay.
private struct Found: Sendable {
    let replay: Replay
    var passages: [ReplayPassage] = []
    var plays: [RoomPlay] = []
    var messages: [ChatMessage] = []
    var reactions: [ReplayReactions] = []

    init(_ id: ReplayID, _ client: Client) async throws {
        replay = try await client.call(ReplayGet(replay: id)).replay
        var after: Int64?
        repeat {
            let page = try await client.call(
                ReplayPassages(replay: id, after: after, limit: Int(Limits.passagePageCount.upperBound)))
            passages += page.passages
            plays += page.plays.filter { play in !plays.contains { $0.id == play.id } }
            after = page.nextAfter
        } while after != nil
        var from: Int64? = 0
        while let moment = from {
            let page = try await client.call(
                ReplayMoments(
                    replay: id, fromMilliseconds: moment, limit: Int(Limits.momentPageCount.upperBound)))
            messages += page.messages
            reactions += page.reactions
            from = page.nextMilliseconds
        }
    }

    var lines: [String] {
        var lines: [(at: Int64, text: String)] = []
        for passage in passages {
            let play = passage.play.flatMap { id in plays.first { $0.id == id } }
            let position = passage.positionMicroseconds
            let place = position >= 1_000_000 ? " from \(Console.time(position))" : ""
            let text = passage.isSounding ? "♪ \(play?.track.line ?? "unknown")\(place)" : "(silence)"
            lines.append((passage.atMilliseconds, text))
        }
        for message in messages {
            let text = message.text.split(separator: "\n").joined(separator: " ")
            lines.append((message.atMilliseconds - replay.startMilliseconds, "\(message.user.label): \(text)"))
        }
        for second in reactions {
            let counts = second.counts.map { "\($0.emoji) \($0.count)" }.joined(separator: "  ")
            lines.append((second.atMilliseconds, counts))
        }
        return lines.sorted { $0.at < $1.at }.map { "\(Console.time($0.at * 1_000))  \($0.text)" }
    }
}

extension Replay {
    fileprivate func add(to table: inout Table) {
        let length = endMilliseconds.map { String(Console.time(($0 - startMilliseconds) * 1_000).dropLast(4)) }
        table.add(
            id.rawValue, UTC.text(milliseconds: startMilliseconds), length ?? "goes on",
            "\(playCount) \(playCount == 1 ? "track" : "tracks")")
    }
}
