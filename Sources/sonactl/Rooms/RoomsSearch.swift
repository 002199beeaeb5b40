internal import ArgumentParser
internal import SonaClient
internal import SonaWire

/// The filters of a search for rooms.
struct RoomQuery: ParsableArguments {
    @Argument(help: ArgumentHelp("Words, or their beginnings; all rooms without any.", valueName: "query"))
    var words: [String] = []

    @Option(help: ArgumentHelp("Whose rooms: all, friends or following. (default: all)", valueName: "scope"))
    var scope: RoomScope = .all

    var text: String { words.joined(separator: " ") }

    /// Guests have no friends.
    var need: SignIn.Need { scope == .all ? .anybody : .account }

    func validate() throws {
        guard Limits.roomQueryBytes.contains(text.utf8.count), Console.printable(text) == text else {
            throw ValidationError("A query is one line of at most \(Limits.roomQueryBytes.upperBound) bytes.")
        }
    }
}

struct RoomsSearch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Finds rooms; those that are live come first.",
        discussion: """
            Every word, or what begins with it, must stand in the title, in a tag, in title or artist of what plays, or \
            in the name of the owner or host. Case and accents do not count.

            \(roomColumns)
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var query: RoomQuery
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"rooms\": […], \"count\": how many there are in all}.") var json = false

    func run() async throws {
        var count: Int?
        let (rooms, hasMore) = try await global.withClient(query.need) { client in
            try await list.collect(pageMax: Int(Limits.roomSearchCount.upperBound)) { limit, cursor in
                let page = try await client.call(
                    RoomSearch(query: query.text, scope: query.scope, limit: limit, cursor: cursor))
                count = count ?? page.count
                return (page.rooms, page.nextCursor)
            }
        }
        if json {
            return Console.out { writer in
                writer.member("rooms", rooms)
                writer.member("count", count ?? rooms.count)
            }
        }
        rooms.show()
        list.tell(hasMore: hasMore)
    }
}
