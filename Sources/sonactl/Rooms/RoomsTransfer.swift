internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct RoomsTransferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer", abstract: "Offers a room of yours to another account.",
        discussion: """
            The room is theirs once they accept, within a week; you are a cohost in it then. sonactl rooms refuse takes \
            the offer back.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var user: UserArgument
    @Flag(help: "Print the offer as JSON.") var json = false

    func run() async throws {
        let link = try room.link()
        let request = RoomTransferOffer(room: link.reference, user: try user.reference())
        let offer = try await global.withClient(.account, link: link) { try await $0.call(request) }.transfer
        if json { return Console.out(json: offer) }
        Console.out(offer.line)
    }
}

struct RoomsTransfersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfers", abstract: "Lists offers of rooms, to you and by you, the newest first.",
        discussion: "A line for each: room, title, who offers it to whom, until when.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object: {\"transfers\": […]}.") var json = false

    func run() async throws {
        let found = try await global.withClient(.account) { try await $0.call(RoomTransfers()) }
        if json { return Console.out(json: found) }
        for offer in found.transfers { Console.out(offer.line) }
    }
}

struct RoomsAcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Takes a room that was offered to you.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Flag(help: "Print the room as JSON.") var json = false

    func run() async throws {
        let link = try room.link()
        let request = RoomAcceptTransfer(room: try link.identifier())
        let signIn = try global.signIn(link: link)
        let taken = try await signIn.open(.account).closing { try await $0.call(request).room }
        taken.show(signIn.address, json: json)
    }
}

struct RoomsRefuseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Refuses a room that was offered to you, or takes your own offer back.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument

    func run() async throws {
        let link = try room.link()
        let request = RoomRefuseTransfer(room: try link.identifier())
        _ = try await global.withClient(.account, link: link) { try await $0.call(request) }
    }
}

struct RoomsMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Gives a room another owner, at once. For administrators.",
        discussion: "The owner of before has no standing in the room any more.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var user: UserArgument
    @Flag(help: "Print the room as JSON.") var json = false

    func run() async throws {
        let link = try room.link()
        let request = RoomsMove(room: link.reference, user: try user.reference())
        if let socket = try global.operatorSocket() {
            var moved = try await socket.call(request).room
            // No address of the server is known here for it to be at.
            moved.picture = nil
            return moved.show(.standard, json: json)
        }
        let signIn = try global.signIn(link: link)
        let moved = try await signIn.open(.account).closing { try await $0.call(request).room }
        moved.show(signIn.address, json: json)
    }
}

extension RoomLink {
    /// The room's identifier: an offer is of one room, whatever its owner is called.
    fileprivate func identifier() throws -> RoomID {
        guard case .id(let id) = reference else { throw Failure(64, "Name the room by its identifier or link.") }
        return id
    }
}

extension RoomTransfer {
    fileprivate var line: String {
        let parts = [
            room.rawValue, title, "\(from.label) to \(to.label)",
            "until \(UTC.text(milliseconds: expiresMilliseconds))",
        ]
        return Console.printable(parts.joined(separator: "  "))
    }
}
