/// The versions of a resource that a client has already.
///
/// Source: RFC 9110 §13.1.2 (If-None-Match), compared weakly (§8.8.3.2).
public struct EntityTags: Sendable {
    private let header: String?

    /// - Parameter header: The value of `If-None-Match`; `nil` if it is absent.
    public init(_ header: String?) { self.header = header }

    /// Whether this strong tag, with its quotation marks, is among them, or any is.
    public func contains(_ tag: String) -> Bool {
        let known = header?.split(separator: ",") ?? []
        return known.contains { one in
            var one = one.drop { $0 == " " }
            while one.last == " " { one.removeLast() }
            return one == "*" || one == tag || (one.hasPrefix("W/") && one.dropFirst(2) == tag)
        }
    }
}

extension HTTPRequest {
    /// Whether `If-None-Match` holds this strong tag.
    public func knows(_ tag: String) -> Bool { EntityTags(ifNoneMatch).contains(tag) }
}
