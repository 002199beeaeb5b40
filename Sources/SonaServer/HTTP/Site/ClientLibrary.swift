/// The files that other people's pages import: the modules of our own page without those that make it a page.
///
/// They are served one by one, under an address that has the major version. `client/README.md` says what is promised.
struct ClientLibrary {
    /// Addresses, the paths that they come from, and contents.
    let files: [(address: String, path: String, body: [UInt8])]

    /// The major version: what is under it goes on working.
    static let prefix = "/client/1/"
    /// The module that pages import.
    private static let entry = "client.js"
    private static let folder = "client/"
    private static let stores: Set = [
        "store/backoff.js", "store/credentials.js", "store/line.js", "store/queue.js", "store/room.js",
        "store/sessions.js", "store/settings.js", "store/tracks.js",
    ]

    init(_ site: SiteFiles) {
        files = site.contents.compactMap { path, body in
            Self.name(path).map { (Self.prefix + $0, path, body) }
        }
    }

    /// Whether a file belongs to the library alone, and not to the page.
    static func owns(_ path: String) -> Bool { path == entry || path.hasPrefix(folder) }

    /// The name of a file under the prefix; `nil` for what is not in the library.
    private static func name(_ path: String) -> String? {
        if path == entry { return "sona.js" }
        if path.hasPrefix(folder) { return String(path.dropFirst(folder.count)) }
        let isSound = path.hasPrefix("audio/") && !path.hasPrefix("audio/hosting/") && !path.hasPrefix("audio/solo/")
        return isSound || path.hasPrefix("wire/") || stores.contains(path) ? path : nil
    }
}
