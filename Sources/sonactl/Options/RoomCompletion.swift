internal import ArgumentParser
internal import SonaClient
internal import SonaWire

/// What a shell offers for a room: the rooms of the server, those that are live first.
enum RoomCompletion {
    /// Whoever types must not notice a server that is far away or gone.
    private static let milliseconds = 300

    /// `@username`, or the identifier where the owner has no name or more rooms.
    ///
    /// - Parameters:
    ///   - words: The command line so far; its `--server`, `--token` and `--ca-cert` count.
    ///   - beginning: What has been typed of the room.
    static func candidates(_ words: [String], _ beginning: String) -> [String] {
        guard var options = try? GlobalOptions.parse([]) else { return [] }
        options.server = value(of: "--server", in: words)
        options.token = value(of: "--token", in: words)
        options.authorityFile = value(of: "--ca-cert", in: words)
        guard let signIn = try? options.signIn() else { return [] }
        return names(of: signIn.roomsAtOnce(within: milliseconds)).filter { $0.hasPrefix(beginning) }
    }

    static func names(of rooms: [Room]) -> [String] {
        let live = rooms.filter(\.isLive) + rooms.filter { !$0.isLive }
        var seen: Set<String> = []
        return live.map { room in
            guard let name = room.owner.username, seen.insert(name.rawValue).inserted else { return room.id.rawValue }
            return "@\(name.rawValue)"
        }
    }

    private static func value(of option: String, in words: [String]) -> String? {
        if let index = words.firstIndex(of: option), index + 1 < words.count { return words[index + 1] }
        return words.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
    }
}
