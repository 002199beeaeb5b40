/// Names that nobody may have, because they would speak for the server, for everybody or for nobody.
///
/// Compared by key, so that `Ａdmin` and `adrnin` are reserved as `admin` is; and without punctuation, or part by part,
/// so that `ad.min`, `admin_` and `sona-support` are too. `admin2` and `badminton` are nobody's concern.
public struct ReservedNames: Sendable, Hashable {
    private let keys: Set<String>

    /// - Parameter names: In any spelling: their keys are compared, without punctuation.
    public init(_ names: some Sequence<String>) { keys = Set(names.map { Self.parts(NameKey($0)).joined() }) }

    /// The names of `groups`.
    public static let standard = ReservedNames(groups.flatMap(\.names))
    /// No reserved names, for the server's own accounts.
    public static let none = ReservedNames([])

    /// Whether the whole name is reserved, or each of its parts between punctuation is. O(length of the key).
    public func contains(_ key: NameKey) -> Bool {
        guard !keys.isEmpty else { return false }
        let parts = Self.parts(key)
        guard !parts.isEmpty else { return false }
        // Keys of parts put together are the key of the whole, within ASCII: letters are folded one by one.
        return keys.contains(parts.joined()) || parts.allSatisfy { keys.contains(String($0)) }
    }

    private static func parts(_ key: NameKey) -> [Substring] {
        key.text.split { $0 == "_" || $0 == "." || $0 == "-" }
    }
}
