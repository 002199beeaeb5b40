internal import ArgumentParser
internal import SonaClient
internal import SonaEventLoop
internal import SonaWire

struct RoomsWatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Shows rooms as they come, change and go.",
        discussion: """
            Prints the list as rooms search does, and then a line for each change, until interrupted: + in front of a \
            room that has come into the list, ~ of one that has changed, - of one that is no longer in it. Words and \
            --scope are those of rooms search.

            With --json a line is an object: {"rooms": […]} at first, and then {"removed": [identifiers], "rooms": \
            [those that are new or changed], "order": [identifiers of the whole list]}.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var query: RoomQuery
    @Option(help: ArgumentHelp("How many rooms the list has, 1 to 100.", valueName: "n"))
    var limit = Limits.roomWatchCountDefault
    @Option(help: ArgumentHelp("End after so many seconds.", valueName: "s")) var seconds: Double?
    @Flag(help: "Print a JSON object on each line.") var json = false

    func validate() throws {
        guard Limits.roomWatchCount.contains(Int64(limit)) else {
            throw ValidationError("--limit takes 1 to \(Limits.roomWatchCount.upperBound).")
        }
        if let seconds, !(seconds > 0 && seconds <= 86_400_000) {
            throw ValidationError("--seconds must be more than 0.")
        }
    }

    func run() async throws {
        let request = RoomWatch(query: query.text, scope: query.scope, limit: limit)
        try await global.withClient(query.need) { client in
            Interruption.handle { client.interrupt() }
            if let seconds { client.wake(atLocal: MonotonicClock.nowMicroseconds() + Int64(seconds * 1_000_000)) }
            var list = ShownRooms(isJSON: json)
            list.begin(try await client.call(request).rooms)
            for await incoming in client.incoming {
                switch incoming {
                case .event(.roomsChanged(let changed), _, _): list.take(changed)
                case .event(.unknown(RoomsChanged.type), _, _):
                    // Changes sent meanwhile are lost, so the list begins again.
                    list.begin(try await client.call(request).rooms)
                case .wake: return
                case .interrupted: throw Interruption.failure
                case .closed(let error): throw error
                case .event, .audio, .position, .complaint: break
                }
            }
        }
    }
}

/// A list of rooms on the terminal.
private struct ShownRooms {
    let isJSON: Bool
    private var rooms: [RoomID: Room] = [:]

    init(isJSON: Bool) { self.isJSON = isJSON }

    mutating func begin(_ rooms: [Room]) {
        self.rooms = [:]
        for room in rooms { self.rooms[room.id] = room }
        if isJSON { return Console.out { $0.member("rooms", rooms) } }
        rooms.show()
    }

    mutating func take(_ changed: RoomsChanged) {
        if isJSON { return Console.out(json: changed) }
        for id in changed.removed {
            guard let room = rooms.removeValue(forKey: id) else { continue }
            show("-", room)
        }
        for room in changed.rooms { show(rooms.updateValue(room, forKey: room.id) == nil ? "+" : "~", room) }
    }

    private func show(_ mark: String, _ room: Room) {
        var table = Table()
        room.add(to: &table)
        for line in table.lines { Console.out("\(mark) \(line)") }
    }
}
