internal import SonaWire

/// What a path under `/listen/` asks for.
enum RadioPath: Equatable {
    case opus(RoomReference)
    case mp3(RoomReference)
    case list(RoomReference, RadioList)
    /// All public rooms that are live.
    case live(RadioList)

    static let prefix = Limits.listenPathPrefix

    /// - Returns: `nil` for a path that means nothing.
    init?(_ path: String) {
        let name = path.dropFirst(Self.prefix.count)
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let (stem, ending) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
        if let list = RadioList(rawValue: ending) {
            if stem == "live" {
                self = .live(list)
                return
            }
            guard let room = RoomReference(stem) else { return nil }
            self = .list(room, list)
            return
        }
        guard let room = RoomReference(stem) else { return nil }
        switch ending {
        case "opus": self = .opus(room)
        case "mp3": self = .mp3(room)
        default: return nil
        }
    }
}

/// A file that lists addresses for players.
enum RadioList: String, CaseIterable {
    case m3u, pls, xspf

    struct Entry: Sendable {
        var address: String
        var title: String
    }

    var contentType: String {
        switch self {
        case .m3u: "audio/x-mpegurl; charset=utf-8"
        case .pls: "audio/x-scpls; charset=utf-8"
        case .xspf: "application/xspf+xml; charset=utf-8"
        }
    }

    /// The file's text. A length of −1 says that an entry has no end.
    func text(_ entries: [Entry]) -> String {
        switch self {
        case .m3u:
            let lines = entries.map { "#EXTINF:-1,\($0.title)\n\($0.address)\n" }
            return "#EXTM3U\n" + lines.joined()
        case .pls:
            let lines = entries.enumerated().map { index, entry in
                "File\(index + 1)=\(entry.address)\nTitle\(index + 1)=\(entry.title)\nLength\(index + 1)=-1\n"
            }
            return "[playlist]\n" + lines.joined() + "NumberOfEntries=\(entries.count)\nVersion=2\n"
        case .xspf:
            let tracks = entries.map {
                "    <track><location>\(Self.escaped($0.address))</location><title>\(Self.escaped($0.title))</title></track>\n"
            }
            return """
                <?xml version="1.0" encoding="UTF-8"?>
                <playlist version="1" xmlns="http://xspf.org/ns/0/">
                  <trackList>
                \(tracks.joined())  </trackList>
                </playlist>

                """
        }
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
