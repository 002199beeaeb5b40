internal import SonaWire

/// A playlist as a file has it: a title, and what it says of each track.
struct PlaylistText: Equatable {
    struct Item: Equatable {
        /// The path or address of the file, as it stands there.
        var path: String?
        var title: String?
        var artist: String?
        var album: String?
        var durationMilliseconds: Int64?
        /// The track's identifier, if the file came from a server of this kind.
        var id: MusicID?

        var isEmpty: Bool { path == nil && title == nil && id == nil }

        /// What people are told of an item that was not found.
        var line: String {
            guard let title else { return path ?? id?.rawValue ?? "" }
            return artist.map { "\($0) - \(title)" } ?? title
        }
    }

    var title: String?
    var items: [Item] = []

    /// Reads a file.
    ///
    /// - Parameter format: `nil`: told by the first character.
    /// - Returns: `nil` if the text is not of the format, or has more items than a playlist may have.
    static func parse(_ text: String, _ format: PlaylistFormat?) -> PlaylistText? {
        var text = text[...]
        if text.unicodeScalars.first == "\u{FEFF}" { text = Substring(text.unicodeScalars.dropFirst()) }
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
        let told: PlaylistFormat = first == "<" ? .xspf : first == "{" ? .jspf : .m3u8
        let parsed =
            switch format ?? told {
            case .m3u8: M3UText.parse(text)
            case .xspf: XSPFText.parse(text)
            case .jspf: JSPFText.parse(text)
            }
        guard let parsed, parsed.items.count <= Limits.playlistEntriesMax else { return nil }
        return parsed
    }

    func text(_ format: PlaylistFormat) -> String {
        switch format {
        case .m3u8: M3UText.text(self)
        case .xspf: XSPFText.text(self)
        case .jspf: JSPFText.text(self)
        }
    }

    /// The start of the identifiers that our files give tracks.
    static let identifierPrefix = "urn:sona:track:"

    static func id(_ identifier: String?) -> MusicID? {
        guard let identifier, identifier.hasPrefix(identifierPrefix) else { return nil }
        return MusicID(String(identifier.dropFirst(identifierPrefix.count)))
    }

    /// Components of a path or a `file:` or `http:` address, percent signs decoded, the last one last.
    static func components(_ path: String) -> [String] {
        var path = path[...]
        var isAddress = false
        if let scheme = path.firstRange(of: "://") {
            isAddress = true
            path = path[scheme.upperBound...]
            if let end = path.firstIndex(where: { $0 == "?" || $0 == "#" }) { path = path[..<end] }
        }
        return path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).map { isAddress ? decoded($0) : String($0) }
            .filter { $0 != "." && $0 != ".." }
    }

    /// A path as a relative address: all but letters, digits and `-._~/` as percent signs.
    static func address(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x2F: bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path of a relative address, which has percent signs; any other address as it is.
    static func path(_ address: String) -> String {
        address.contains("://") ? address : decoded(address[...])
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// M3U in UTF-8, with the lines `#EXTM3U`, `#PLAYLIST` and `#EXTINF`.
enum M3UText {
    static func parse(_ text: Substring) -> PlaylistText? {
        var playlist = PlaylistText()
        var next = PlaylistText.Item()
        for line in text.split(whereSeparator: \.isNewline) {
            let line = trimmed(line)
            if line.isEmpty { continue }
            // A file of bytes is no text.
            if line.utf8.contains(0) { return nil }
            if let value = value(of: "#PLAYLIST:", line) {
                playlist.title = playlist.title ?? value
            } else if let value = value(of: "#EXTALB:", line) {
                next.album = value
            } else if let value = value(of: "#EXTINF:", line) {
                take(value, &next)
            } else if !line.hasPrefix("#") {
                next.path = String(line)
                playlist.items.append(next)
                next = PlaylistText.Item()
            }
        }
        return playlist
    }

    /// `123,Artist - Title`; seconds of -1 are unknown.
    private static func take(_ value: String, _ item: inout PlaylistText.Item) {
        let parts = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        // Attributes may follow the seconds: 123 tvg-id="…".
        let seconds = parts[0].split(separator: " ").first.flatMap { Double($0) }
        if let seconds, seconds > 0, seconds < 1e9 { item.durationMilliseconds = Int64(seconds * 1_000) }
        guard parts.count == 2 else { return }
        let names = String(trimmed(parts[1]))
        guard !names.isEmpty else { return }
        if let dash = names.firstRange(of: " - ") {
            item.artist = String(names[..<dash.lowerBound])
            item.title = String(names[dash.upperBound...])
        } else {
            item.title = names
        }
    }

    private static func value(of tag: String, _ line: Substring) -> String? {
        line.hasPrefix(tag) ? String(trimmed(line.dropFirst(tag.count))) : nil
    }

    static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    static func text(_ playlist: PlaylistText) -> String {
        var text = "#EXTM3U\n"
        if let title = playlist.title { text += "#PLAYLIST:\(line(title))\n" }
        for item in playlist.items {
            let seconds = item.durationMilliseconds.map { "\(($0 + 500) / 1_000)" } ?? "-1"
            text += "#EXTINF:\(seconds),\(line(item.line))\n"
            if let album = item.album { text += "#EXTALB:\(line(album))\n" }
            text += "\(line(item.path ?? item.line))\n"
        }
        return text
    }

    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}

/// JSPF: XSPF as JSON.
///
/// Source: www.xspf.org/jspf.
enum JSPFText {
    static func parse(_ text: Substring) -> PlaylistText? {
        guard let json = try? JSON.parse(Array(text.utf8)), let list = json["playlist"], list.object != nil else {
            return nil
        }
        var playlist = PlaylistText(title: list["title"]?.string)
        for track in list["track"]?.array ?? [] {
            let item = PlaylistText.Item(
                path: first(track["location"]).map(PlaylistText.path), title: track["title"]?.string,
                artist: track["creator"]?.string,
                album: track["album"]?.string, durationMilliseconds: track["duration"]?.integer,
                id: PlaylistText.id(first(track["identifier"])))
            playlist.items.append(item)
        }
        return playlist
    }

    /// The first of an array of texts, or a text alone.
    private static func first(_ json: JSON?) -> String? { json?.string ?? json?.array?.first?.string }

    static func text(_ playlist: PlaylistText) -> String {
        let tracks = playlist.items.map { item -> JSON in
            var members: [JSON.Member] = []
            if let path = item.path {
                members.append(.init(key: "location", value: .array([.string(PlaylistText.address(path))])))
            }
            if let id = item.id {
                let text = PlaylistText.identifierPrefix + id.rawValue
                members.append(.init(key: "identifier", value: .array([.string(text)])))
            }
            if let title = item.title { members.append(.init(key: "title", value: .string(title))) }
            if let artist = item.artist { members.append(.init(key: "creator", value: .string(artist))) }
            if let album = item.album { members.append(.init(key: "album", value: .string(album))) }
            if let duration = item.durationMilliseconds {
                members.append(.init(key: "duration", value: .integer(duration)))
            }
            return .object(members)
        }
        var members: [JSON.Member] = []
        if let title = playlist.title { members.append(.init(key: "title", value: .string(title))) }
        members.append(.init(key: "track", value: .array(tracks)))
        let list = JSON.object([.init(key: "playlist", value: .object(members))])
        return String(decoding: list.encoded(), as: UTF8.self) + "\n"
    }
}
