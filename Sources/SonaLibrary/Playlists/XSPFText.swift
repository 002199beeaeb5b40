internal import SonaWire

/// XSPF, the playlist format in XML.
///
/// The reader takes what writers of such files write: elements, texts, the five entities of XML, numbers of
/// characters, CDATA. Document types and entities of one's own are not read, so a file cannot make the reader do
/// anything but read it once.
///
/// Source: www.xspf.org/spec.
enum XSPFText {
    static func parse(_ text: Substring) -> PlaylistText? {
        var reader = XMLReader(text)
        var playlist = PlaylistText()
        var item: PlaylistText.Item?
        var path: [String] = []
        var value = ""
        var isPlaylist = false
        while let piece = reader.next() {
            switch piece {
            case .text(let text): value += text
            case .open(let name):
                // Elements of such files lie four deep.
                guard path.count < 32 else { return nil }
                path.append(name)
                value = ""
                if path == ["playlist"] { isPlaylist = true }
                if path == ["playlist", "trackList", "track"] { item = PlaylistText.Item() }
            case .close(let name):
                guard path.popLast() == name else { return nil }
                let text = String(M3UText.trimmed(value[...]))
                value = ""
                if path == ["playlist"], name == "title" { playlist.title = text }
                if path == ["playlist", "trackList"], name == "track", let done = item {
                    playlist.items.append(done)
                    item = nil
                }
                if path == ["playlist", "trackList", "track"] { take(text, name, &item) }
            }
        }
        guard isPlaylist, path.isEmpty, !reader.isBroken else { return nil }
        return playlist
    }

    private static func take(_ text: String, _ name: String, _ item: inout PlaylistText.Item?) {
        guard !text.isEmpty else { return }
        switch name {
        // The first of several counts.
        case "location": if item?.path == nil { item?.path = PlaylistText.path(text) }
        case "title": item?.title = text
        case "creator": item?.artist = text
        case "album": item?.album = text
        case "duration": item?.durationMilliseconds = Int64(text).flatMap { $0 > 0 ? $0 : nil }
        case "identifier": if item?.id == nil { item?.id = PlaylistText.id(text) }
        default: break
        }
    }

    static func text(_ playlist: PlaylistText) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <playlist version="1" xmlns="http://xspf.org/ns/0/">

            """
        if let title = playlist.title { text += "  <title>\(escaped(title))</title>\n" }
        text += "  <trackList>\n"
        for item in playlist.items {
            text += "    <track>"
            if let path = item.path { text += "<location>\(escaped(PlaylistText.address(path)))</location>" }
            if let id = item.id { text += "<identifier>\(PlaylistText.identifierPrefix)\(id.rawValue)</identifier>" }
            if let title = item.title { text += "<title>\(escaped(title))</title>" }
            if let artist = item.artist { text += "<creator>\(escaped(artist))</creator>" }
            if let album = item.album { text += "<album>\(escaped(album))</album>" }
            if let duration = item.durationMilliseconds { text += "<duration>\(duration)</duration>" }
            text += "</track>\n"
        }
        return text + "  </trackList>\n</playlist>\n"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            // XML 1.0 has no control characters.
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// The tags and texts of an XML document, one after another. Attributes are passed over.
private struct XMLReader {
    enum Piece {
        case open(String)
        case close(String)
        case text(String)
    }

    private var rest: ArraySlice<UInt8>
    /// The second half of an empty element, which opens and closes at once.
    private var closing: String?
    private(set) var isBroken = false

    init(_ text: Substring) { rest = Array(text.utf8)[...] }

    mutating func next() -> Piece? {
        if let name = closing {
            closing = nil
            return .close(name)
        }
        while !rest.isEmpty {
            if rest.first != UInt8(ascii: "<") { return .text(text()) }
            if let content = take("<![CDATA[", to: "]]>") { return .text(String(decoding: content, as: UTF8.self)) }
            if isBroken { return nil }
            if take("<!--", to: "-->") != nil || take("<?", to: "?>") != nil { continue }
            if isBroken || rest.starts(with: "<!".utf8) { return fail() }
            return tag()
        }
        return nil
    }

    private mutating func fail() -> Piece? {
        isBroken = true
        rest = []
        return nil
    }

    /// What stands between two marks, if the first one is next.
    private mutating func take(_ start: StaticString, to end: StaticString) -> ArraySlice<UInt8>? {
        let (start, end) = (Array("\(start)".utf8), Array("\(end)".utf8))
        guard rest.starts(with: start) else { return nil }
        let content = rest.dropFirst(start.count)
        var place = content.startIndex
        while place + end.count <= content.endIndex {
            if content[place] == end[0], content[place..<place + end.count].elementsEqual(end) {
                rest = content[(place + end.count)...]
                return content[..<place]
            }
            place += 1
        }
        _ = fail()
        return nil
    }

    private mutating func tag() -> Piece? {
        var quote: UInt8?
        var end = rest.startIndex
        while end < rest.endIndex {
            let byte = rest[end]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            }
            end += 1
        }
        guard end < rest.endIndex else { return fail() }
        var inside = rest[(rest.startIndex + 1)..<end]
        rest = rest[(end + 1)...]
        let isClosing = inside.first == UInt8(ascii: "/")
        let isEmpty = !isClosing && inside.last == UInt8(ascii: "/")
        if isClosing { inside = inside.dropFirst() }
        if isEmpty { inside = inside.dropLast() }
        let whole = inside.prefix { $0 > 0x20 }
        // The prefix of a namespace says nothing here.
        let name = String(decoding: whole.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
        guard !name.isEmpty else { return fail() }
        if isEmpty { closing = name }
        return isClosing ? .close(name) : .open(name)
    }

    private mutating func text() -> String {
        let raw = rest.prefix { $0 != UInt8(ascii: "<") }
        rest = rest[raw.endIndex...]
        guard raw.contains(UInt8(ascii: "&")) else { return String(decoding: raw, as: UTF8.self) }
        var text = ""
        var parts = String(decoding: raw, as: UTF8.self).split(separator: "&", omittingEmptySubsequences: false)
        text += parts.removeFirst()
        for part in parts {
            guard let end = part.firstIndex(of: ";"), let scalar = Self.scalar(part[..<end]) else {
                text += "&\(part)"
                continue
            }
            text.unicodeScalars.append(scalar)
            text += part[part.index(after: end)...]
        }
        return text
    }

    private static func scalar(_ entity: Substring) -> Unicode.Scalar? {
        switch entity {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard entity.hasPrefix("#") else { return nil }
            let number = entity.dropFirst()
            let value = number.hasPrefix("x") ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)
            return value.flatMap(Unicode.Scalar.init)
        }
    }
}
