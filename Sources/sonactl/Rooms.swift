internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Rooms: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists and shows rooms.", subcommands: [RoomsList.self, RoomsShow.self])
}

struct RoomsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists public rooms, or your own.",
        discussion: "A line for each: identifier, live or idle, listeners, owner, title.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Your own rooms, private ones too.") var mine = false
    @Flag(help: "Print one JSON object: {\"rooms\": […]}.") var json = false

    func run() async throws {
        let rooms = try await global.withClient(mine ? .account : .anybody) { try await $0.allRooms(mine: mine) }
        if json { return Console.out { $0.member("rooms", rooms) } }
        var table = Table()
        for room in rooms {
            table.add(
                room.id.rawValue, room.isLive ? "live" : "idle", "\(room.listenerCount)", room.owner.label, room.title)
        }
        table.show()
        if rooms.isEmpty { Console.say("There are no rooms.") }
    }
}

struct RoomsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows one room.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let link = try room.link()
        let room = try await global.withClient(.anybody, link: link) { client in
            try await client.call(RoomGet(room: link.reference)).room
        }
        if json { return Console.out(json: room) }
        var table = Table()
        table.add("identifier", room.id.rawValue)
        table.add("title", room.title)
        table.add("owner", room.owner.label)
        table.add("visibility", room.visibility.rawValue)
        table.add("state", "\(room.isLive ? "live" : "idle"), host \(room.hostState.rawValue)")
        table.add("listeners", "\(room.listenerCount)")
        table.add("delivery", "\(room.delivery.rawValue), \(room.leadMilliseconds) ms ahead")
        if let track = room.track { table.add("track", track.line) }
        table.show()
    }
}
