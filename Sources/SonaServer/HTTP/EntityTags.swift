internal import SonaEventLoop

/// The versions of a resource that a client has already.
///
/// Source: RFC 9110 §13.1.2 (If-None-Match, compared weakly).
struct EntityTags {
    private let header: String?

    init(_ header: String?) { self.header = header }

    /// Whether this strong tag, with its quotation marks, is among them.
    func contains(_ tag: String) -> Bool {
        let known = header?.split(separator: ",").map { $0.drop { $0 == " " } } ?? []
        return known.contains { $0 == "*" || $0 == tag || ($0.hasPrefix("W/") && $0.dropFirst(2) == tag) }
    }
}

extension HTTPRequest {
    func knows(_ tag: String) -> Bool { EntityTags(ifNoneMatch).contains(tag) }
}
