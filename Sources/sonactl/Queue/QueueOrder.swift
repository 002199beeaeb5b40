internal import ArgumentParser
internal import SonaClient
internal import SonaWire

/// A command about a whole queue that needs nothing but its room.
protocol QueueCommand: AsyncParsableCommand {
    associatedtype Question: WireRequest where Question.Response == QueueResult

    var global: GlobalOptions { get }
    var room: RoomArgument { get }

    func request(_ room: RoomReference) -> Question
}

extension QueueCommand {
    mutating func run() async throws {
        let link = try room.link()
        let request = request(link.reference)
        _ = try await global.withClient(.anybody, link: link) { try await $0.call(request) }
    }
}

struct QueueClearing: QueueCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Removes all waiting tracks; the one that is playing goes on.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument

    func request(_ room: RoomReference) -> QueueClear { QueueClear(room: room) }
}

struct QueueGoingOn: QueueCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Goes on to the next track.",
        discussion: "The room's host plays it, if it follows the queue.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument

    func request(_ room: RoomReference) -> QueueNext { QueueNext(room: room) }
}

struct QueueGoingBack: QueueCommand {
    static let configuration = CommandConfiguration(
        commandName: "previous", abstract: "Goes back to the track that ended last.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument

    func request(_ room: RoomReference) -> QueuePrevious { QueuePrevious(room: room) }
}

struct QueueRepeating: QueueCommand {
    static let configuration = CommandConfiguration(
        commandName: "repeat", abstract: "Sets whether tracks that were played come again.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Argument(help: "off, all (at the end of the queue), or one (at once, again and again).") var mode: RepeatMode

    func request(_ room: RoomReference) -> QueueSetRepeat { QueueSetRepeat(mode, room: room) }
}

struct QueueShuffling: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shuffle", abstract: "Puts the waiting tracks in another order.",
        discussion: "Prints the seed. The same seed puts the same entries in the same order.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Option(help: ArgumentHelp("0 to 2^53 - 1. (default: drawn by the server)", valueName: "n")) var seed: Int64?

    func validate() throws {
        if let seed, !(0...Limits.integerMax).contains(seed) { throw ValidationError("--seed takes 0 to 2^53 - 1.") }
    }

    func run() async throws {
        let link = try room.link()
        let result = try await global.withClient(.anybody, link: link) {
            try await $0.call(QueueShuffle(seed: seed, room: link.reference))
        }
        if let seed = result.seed { Console.out("\(seed)") }
    }
}

struct QueueRuling: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Shows the rules of a room's queue, or changes some.",
        discussion: "Prints a line for each rule, by the names of the protocol.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Option(help: "manual: as it stands. votes: in turns, by votes.") var ordering: QueueRules.Ordering?
    @Option(help: "Who may suggest: nobody, members, everybody.") var suggesters: QueueRules.Audience?
    @Option(help: "Who may vote: nobody, members, everybody.") var voters: QueueRules.Audience?
    @Flag(inversion: .prefixedNo, help: "Suggestions wait for somebody to approve them.") var approval: Bool?
    @Option(help: ArgumentHelp("Entries of one person that wait, 1 to 100.", valueName: "n"))
    var waitingPerPerson: Int?
    @Option(help: ArgumentHelp("Entries in all, 1 to 500.", valueName: "n")) var entries: Int?
    @Option(help: ArgumentHelp("Last plays that count for the share, 1 to 100.", valueName: "n")) var shareWindow: Int?
    @Option(help: ArgumentHelp("Most of those for one person, 1 to 100.", valueName: "n")) var sharePlays: Int?
    @Option(help: ArgumentHelp("Plays of one person in a row, by votes, 1 to 100.", valueName: "n")) var row: Int?
    @Option(help: ArgumentHelp("How long a track rests, at most 24h.", valueName: "time")) var cooldown: TimeSpan?
    @Option(help: ArgumentHelp("How long a newcomer waits, at most 1h.", valueName: "time")) var dwell: TimeSpan?
    @Option(help: ArgumentHelp("Share of the listeners that skips, 0 to 100.", valueName: "n")) var skipPercent: Int?
    @Option(help: ArgumentHelp("How long the votes of people who left count, at most 1h.", valueName: "time"))
    var grace: TimeSpan?
    @Flag(help: "Print one JSON object.") var json = false

    private var change: QueueRules.Change {
        var change = QueueRules.Change()
        change.ordering = ordering
        change.suggesters = suggesters
        change.voters = voters
        change.needsApproval = approval
        let numbers: [(QueueRules.Number, Int?)] = [
            (.waitingPerPersonMax, waitingPerPerson), (.entriesMax, entries), (.shareWindow, shareWindow),
            (.sharePlaysMax, sharePlays), (.rowMax, row), (.cooldownSeconds, cooldown.map { Int($0.seconds) }),
            (.dwellSeconds, dwell.map { Int($0.seconds) }), (.skipPercent, skipPercent),
            (.graceSeconds, grace.map { Int($0.seconds) }),
        ]
        for (number, value) in numbers { change.numbers[number] = value }
        return change
    }

    func validate() throws {
        for (number, value) in change.numbers where !number.range.contains(value) {
            throw ValidationError(
                "\(number.rawValue) takes \(number.range.lowerBound) to \(number.range.upperBound).")
        }
    }

    func run() async throws {
        let link = try room.link()
        let rules = try await global.withClient(.anybody, link: link) { client in
            if change != QueueRules.Change() {
                _ = try await client.call(QueueSetRules(change, room: link.reference))
            }
            return try await client.call(QueueGet(limit: 1, room: link.reference)).rules
        }
        if json { return Console.out(json: rules) }
        var table = Table()
        table.add("ordering", rules.ordering.rawValue)
        table.add("suggesters", rules.suggesters.rawValue)
        table.add("voters", rules.voters.rawValue)
        table.add("needs_approval", rules.needsApproval ? "yes" : "no")
        for number in QueueRules.Number.allCases { table.add(number.rawValue, "\(rules[number])") }
        table.show()
    }
}
