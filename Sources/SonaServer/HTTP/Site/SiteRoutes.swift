internal import SonaWire

/// The paths that are addresses of the page: it decides by its own address what to show.
enum SiteRoutes {
    private static let pages: Set = [
        "/", "/host", "/sign-in", "/sign-up", "/username", "/people", "/profile", "/settings", "/rooms", "/admin",
        "/setup", "/library", "/search", "/playing", "/car", "/friends",
        // Links in mails lead to the last two (AccountLinks).
        "/account", "/account/recover", "/account/confirm",
    ]
    /// A room, a user, music, and the parts of the administration and of the library: one segment follows.
    private static let pagesOfOne = [
        "/r/", "/u/", "/admin/", "/library/", "/album/", "/artist/", "/genre/", "/track/", "/playlists/", "/replay/",
        "/embed/r/", "/embed/requests/",
    ]

    static func isPage(_ path: String) -> Bool {
        if pages.contains(path) { return true }
        return pagesOfOne.contains { prefix in
            guard path.hasPrefix(prefix) else { return false }
            let segment = path.dropFirst(prefix.count)
            return !segment.isEmpty && !segment.contains("/")
        }
    }

    /// The name of the page that an address shows, as router.js has it: the last word, or what the first one stands for.
    static func page(_ path: String, query: String = "") -> String {
        let words = path.split(separator: "/")
        return switch words.first {
        case nil: "home"
        // A room on a screen on the wall is at the room's own address.
        case "r": query.split(separator: "&").contains { $0.prefix { $0 != "=" } == "display" } ? "display" : "room"
        case "u": "user"
        case "playlists": "playlist"
        case "account": String(words[words.count - 1])
        case "embed" where words.dropFirst().first == "requests": "requests"
        case let first?: String(first)
        }
    }

    /// The room whose page a path is; `nil` for other paths.
    static func room(_ path: String) -> RoomReference? {
        for prefix in ["/r/", embedded + "r/", embedded + "requests/"] where path.hasPrefix(prefix) {
            return RoomReference(String(path.dropFirst(prefix.count)))
        }
        return nil
    }

    private static let embedded = "/embed/"

    /// Whether pages of other sites may show this page in a frame.
    static func mayBeFramed(_ path: String) -> Bool { path.hasPrefix(embedded) }

    /// Whether a path looks like a program's: an interface, or a file. People do not type these.
    static func isForPrograms(_ path: String) -> Bool {
        ["/v1/", "/assets/", "/client/", "/.well-known/", "/rest/"].contains { path.hasPrefix($0) }
            || path.split(separator: "/").last?.contains(".") == true
    }
}
