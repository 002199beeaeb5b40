internal import SonaClient
internal import SonaWire

/// The columns of a list of rooms, for help texts.
let roomColumns = """
    A line for each: identifier, live or idle, listeners, owner, title, what plays; then private or no guests where \
    that is so, and the tags.
    """

extension [Room] {
    func show() {
        var table = Table()
        for room in self { room.add(to: &table) }
        table.show()
        if isEmpty { Console.say("There are no rooms.") }
    }
}

extension Room {
    /// The room on one line, or one row.
    func add(to table: inout Table) {
        table.add(
            id.rawValue, isLive ? "live" : "idle", "\(listenerCount)", owner.label, settings.title, track?.line ?? "",
            remarks)
    }

    private var remarks: String {
        var remarks: [String] = []
        if settings.visibility == .private { remarks.append("private") }
        if !settings.allowsGuests { remarks.append("no guests") }
        return (remarks + settings.tags.map { "#\($0)" }).joined(separator: " ")
    }

    /// All there is to know of the room.
    func show(_ address: ServerAddress, json: Bool) {
        if json { return Console.out(json: self) }
        var table = Table()
        table.add("identifier", id.rawValue)
        table.add("title", settings.title)
        table.add("owner", owner.label)
        table.add("visibility", settings.visibility.rawValue)
        table.add("state", "\(isLive ? "live" : "idle"), host \(hostState.rawValue)")
        if let host { table.add("host", host.label) }
        if let hostFollowsQueue {
            table.add("queue", hostFollowsQueue ? "played by the host" : "not played by the host")
        }
        table.add("listeners", "\(listenerCount)")
        table.add("guests", settings.allowsGuests ? "may enter" : "may not enter")
        if settings.offersDataSaver { table.add("data saver", "listeners may take the sound at a lower bit rate") }
        if settings.keepsReplays { table.add("replays", "what is heard and said is kept") }
        if settings.hasWaitingRoom { table.add("waiting room", "those without an invite have to be let in") }
        let (chat, seconds) = (settings.chatRule.rawValue, settings.slowModeSeconds)
        table.add("chat", seconds > 0 ? "\(chat), one in \(seconds) s" : chat)
        table.add("on private", settings.privatePolicy == .stay ? "listeners stay" : "listeners leave")
        table.add("delivery", "\(settings.delivery.rawValue), \(settings.leadMilliseconds) ms ahead")
        if let track { table.add("track", track.line) }
        if !settings.tags.isEmpty { table.add("tags", settings.tags.joined(separator: ", ")) }
        for (number, line) in (settings.about?.split(whereSeparator: \.isNewline) ?? []).enumerated() {
            table.add(number == 0 ? "description" : "", String(line))
        }
        if let picture { table.add("picture", "\(address)\(picture.path(.full))") }
        table.show()
    }
}
