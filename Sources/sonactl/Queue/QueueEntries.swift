internal import ArgumentParser
internal import SonaClient
internal import SonaWire

/// An entry of a queue on the command line.
struct EntryArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The number of the entry, as sonactl queue show has it.", valueName: "number"))
    var id: Int64

    func validate() throws {
        guard Limits.queueEntryID.contains(id) else { throw ValidationError("An entry is a number from 1 on.") }
    }
}

/// A command about an entry that needs no more than its number.
protocol QueueEntryCommand: AsyncParsableCommand {
    associatedtype Question: QueueEntryRequest

    /// The result in words, printed after the entry's number.
    static var done: String { get }

    var global: GlobalOptions { get }
    var room: RoomArgument { get }
    var entry: EntryArgument { get }
}

extension QueueEntryCommand {
    mutating func run() async throws {
        let link = try room.link()
        let request = Question(id: entry.id, room: link.reference)
        _ = try await global.withClient(.anybody, link: link) { try await $0.call(request) }
        Console.say("Entry \(entry.id) \(Self.done)")
    }
}

struct QueueApproving: QueueEntryCommand {
    typealias Question = QueueApprove
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Has a suggestion wait to be played.")
    static let done = "waits to be played."

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var entry: EntryArgument
}

struct QueueRejecting: QueueEntryCommand {
    typealias Question = QueueReject
    static let configuration = CommandConfiguration(commandName: "reject", abstract: "Turns a suggestion down.")
    static let done = "was turned down."

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var entry: EntryArgument
}

struct QueueTaking: QueueEntryCommand {
    typealias Question = QueueRemove
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Takes out an entry: your own, or as owner or cohost any.")
    static let done = "was taken out."

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var entry: EntryArgument
}

struct QueueMoving: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Puts an entry somewhere else, at the end if nothing is said.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var entry: EntryArgument
    @OptionGroup var place: PlaceOptions

    func run() async throws {
        let link = try room.link()
        let request = QueueMove(id: entry.id, to: place.position, room: link.reference)
        _ = try await global.withClient(.anybody, link: link) { try await $0.call(request) }
    }
}

// MARK: Votes

struct QueueVoting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vote", abstract: "Votes for or against an entry that waits.")

    enum Word: String, CaseIterable, ExpressibleByArgument {
        case up
        case down
        case none

        var vote: Vote? {
            switch self {
            case .up: .up
            case .down: .down
            case .none: nil
            }
        }
    }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var entry: EntryArgument
    @Argument(help: "up, down, or none to take it back.") var vote: Word

    func run() async throws {
        let link = try room.link()
        let request = QueueVote(vote.vote, for: entry.id, room: link.reference)
        _ = try await global.withClient(.anybody, link: link) { try await $0.call(request) }
    }
}

struct QueueSkipping: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip", abstract: "Votes to skip the track that is playing.",
        discussion: "It takes the share of listeners that the room's rules name, and at least two.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Flag(help: "Take the vote back.") var undo = false

    func run() async throws {
        let link = try room.link()
        try await global.withClient(.anybody, link: link) { client in
            guard let now = try await client.call(QueueGet(limit: 1, room: link.reference)).now else {
                throw Failure(66, "Nothing of the queue plays.")
            }
            _ = try await client.call(QueueVoteSkip(id: now.entry.id, isWanted: !undo, room: link.reference))
            let queue = try await client.call(QueueGet(limit: 1, room: link.reference))
            if queue.now?.play == now.play {
                Console.say("\(queue.skipVotes) of \(queue.skipVotesNeeded) want to skip it.")
            } else {
                Console.say("It was skipped.")
            }
        }
    }
}
