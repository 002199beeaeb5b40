internal import SonaWire

/// The preview of a link to the page where somebody posts it: title, a line, a picture.
///
/// Source: The Open Graph protocol (ogp.me), which messengers and social networks read; they run no scripts.
struct PageCard: Hashable, Sendable {
    var title: String
    var description: String
    /// The address of the server, without a slash at the end; `nil` if it is not known.
    var base: String?
    /// The path of the page, which follows `base`.
    var path: String
    var picture: String?
    /// A description of the picture, for people who cannot see it.
    var pictureText: String?

    /// - Parameters:
    ///   - publicAddress: As configured; else the address is taken from the request, unless a proxy has forwarded it.
    static func base(publicAddress: String?, host: String?, isSecure: Bool, isForwarded: Bool = false) -> String? {
        if let publicAddress { return publicAddress.hasSuffix("/") ? String(publicAddress.dropLast()) : publicAddress }
        guard let host, SitePolicy.isPlain(host), !isForwarded else { return nil }
        return "\(isSecure ? "https" : "http")://\(host)"
    }

    /// Elements of a page's head, one a line. All values are escaped, so that they stay text.
    var markup: String {
        var lines = [
            "<title>\(HTMLText.escaped(title))</title>", Self.meta("name", "description", description),
            Self.meta("property", "og:site_name", "Sona"), Self.meta("property", "og:type", "website"),
            Self.meta("property", "og:title", title), Self.meta("property", "og:description", description),
        ]
        if let base {
            lines.append(Self.meta("property", "og:url", base + path))
            if let picture {
                lines.append(Self.meta("property", "og:image", base + picture))
                if let pictureText { lines.append(Self.meta("property", "og:image:alt", pictureText)) }
            }
        }
        // Programs that show links ask there for more than the card says.
        if let base, path != "/" {
            let address = HTMLText.escaped("\(base)\(OEmbed.pagePath)?url=\(Self.encoded(base + path))")
            lines.append("<link rel=\"alternate\" type=\"application/json+oembed\" href=\"\(address)\">")
        }
        return lines.joined(separator: "\n")
    }

    /// An address as the value of a query (RFC 3986 §2.3).
    private static func encoded(_ address: String) -> String {
        address.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(character) : "%\(digits.utf8.count == 1 ? "0" : "")\(digits)"
        }.joined()
    }

    private static func meta(_ kind: String, _ name: String, _ content: String) -> String {
        "<meta \(kind)=\"\(name)\" content=\"\(HTMLText.escaped(content))\">"
    }
}

extension PageCard {
    /// The card of a room that everybody may see.
    init(_ now: RoomNow, base: String?, path: String) {
        let room = now.room
        let host = (room.host ?? room.owner).username.map { "@\($0.rawValue)" }
        var line = room.isLive ? "\(host ?? "Somebody") plays" : host.map { "A room of \($0)" } ?? "A room"
        let track = now.nowPlaying?.track ?? room.track
        if room.isLive, let title = track?.title {
            line += " “\(title)”" + (track?.artist.map { " by \($0)" } ?? "")
        }
        line += room.isLive ? ". Open it and hear the same moment of it." : "."
        if let about = room.settings.about { line += " " + about }
        self.init(
            title: room.settings.title, description: Self.shortened(line), base: base, path: path,
            picture: room.picture?.path(.full), pictureText: room.picture == nil ? nil : "Picture of the room")
    }

    /// Limits the length, because applications that show it cut it off, perhaps in the middle of a character.
    private static func shortened(_ text: String) -> String {
        text.count <= 300 ? text : text.prefix(299) + "…"
    }
}
