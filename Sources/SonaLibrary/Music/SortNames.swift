internal import SonaText

/// The keys by which names of the library are sorted.
///
/// Source: Protocol/spec/library.md, "Order".
enum SortNames {
    /// Comes after every other key: for unknown artists.
    static let last: [UInt8] = [0xFF]

    /// The key of a title, of an album or of an artist. "The Beatles" stands among the B.
    static func key(_ name: String) -> [UInt8] {
        let article = "the "
        let hasArticle = name.count > article.count && name.prefix(article.count).lowercased() == article
        return SortKey.bytes(hasArticle ? String(name.dropFirst(article.count)) : name)
    }
}
