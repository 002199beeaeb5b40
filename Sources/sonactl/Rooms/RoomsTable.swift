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
            id.rawValue, isLive ? "live" : "idle", "\(listenerCount)", owner.label, title, track?.line ?? "", remarks)
    }

    private var remarks: String {
        var remarks: [String] = []
        if visibility == .private { remarks.append("private") }
        if !allowsGuests { remarks.append("no guests") }
        return (remarks + tags.map { "#\($0)" }).joined(separator: " ")
    }

    /// All there is to know of the room.
    func show(_ address: ServerAddress, json: Bool) {
        if json { return Console.out(json: self) }
        var table = Table()
        table.add("identifier", id.rawValue)
        table.add("title", title)
        table.add("owner", owner.label)
        table.add("visibility", visibility.rawValue)
        table.add("state", "\(isLive ? "live" : "idle"), host \(hostState.rawValue)")
        if let host { table.add("host", host.label) }
        table.add("listeners", "\(listenerCount)")
        table.add("guests", allowsGuests ? "may enter" : "may not enter")
        if hasWaitingRoom { table.add("waiting room", "those without an invite have to be let in") }
        table.add("chat", slowModeSeconds > 0 ? "\(chatRule.rawValue), one in \(slowModeSeconds) s" : chatRule.rawValue)
        table.add("on private", privatePolicy == .stay ? "listeners stay" : "listeners leave")
        table.add("delivery", "\(delivery.rawValue), \(leadMilliseconds) ms ahead")
        if let track { table.add("track", track.line) }
        if !tags.isEmpty { table.add("tags", tags.joined(separator: ", ")) }
        for (number, line) in (about?.split(whereSeparator: \.isNewline) ?? []).enumerated() {
            table.add(number == 0 ? "description" : "", String(line))
        }
        if let picture { table.add("picture", "\(address)\(picture.path(.full))") }
        table.show()
    }
}
