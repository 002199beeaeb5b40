internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct RoomsClose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Ends a room of yours for good. There is no way back.",
        discussion: """
            What plays in it ends, whoever is inside is put out, and its picture is gone. To take a room out of sight \
            for a while, use sonactl rooms update ROOM --private.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Flag(help: "Do not ask whether it is meant.") var yes = false

    func run() async throws {
        let link = try room.link()
        let room = try await global.withClient(.account, link: link) { client in
            let room = try await client.call(RoomGet(room: link.reference)).room
            if !yes { try Self.confirm(room) }
            // The room is named by its identifier, since the owner may be live in another one by now.
            _ = try await client.call(RoomClose(room: .id(room.id)))
            return room
        }
        Console.say("The room \"\(room.printableTitle)\" is closed.")
    }

    private static func confirm(_ room: Room) throws {
        guard let terminal = Terminal() else {
            throw Failure(64, "There is no terminal to ask whether this is meant; use --yes.")
        }
        let answer = terminal.ask("This ends \"\(room.printableTitle)\" for good. Type \"close\" if you mean it: ")
        guard answer == "close" else { throw Failure(1, "Nothing was closed.") }
    }
}
