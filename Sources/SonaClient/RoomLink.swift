package import SonaWire

/// How a person names a room: its identifier, a link to its page, or `@username`.
package struct RoomLink: Sendable, Equatable {
    package var reference: RoomReference
    /// The server the link leads to; nil where only the room is named.
    package var server: String?

    /// - Parameter text: `k2…20 characters`, `@ada`, `/r/k2…`, `http://HOST:PORT/r/k2…`; a query, a fragment or a
    ///   slash at the end of a link are passed over.
    /// - Returns: nil for anything else.
    package init?(_ text: String) {
        if let reference = RoomReference(text) {
            self.reference = reference
            return
        }
        var path = text.prefix { $0 != "?" && $0 != "#" }
        if path.hasSuffix("/") { path.removeLast() }
        guard let slash = path.lastIndex(of: "/"), path[..<slash].hasSuffix("/r") || path[..<slash] == "r" else {
            return nil
        }
        guard let reference = RoomReference(String(path[path.index(after: slash)...])) else { return nil }
        self.reference = reference
        let server = path[..<slash].dropLast(2)
        if !server.isEmpty { self.server = String(server) }
    }
}
