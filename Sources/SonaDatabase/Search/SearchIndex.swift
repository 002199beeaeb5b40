/// A full-text index over columns of a table, kept in step by triggers.
///
/// ```swift
/// static let table = Table<Self>("albums", id, title, artist, search: SearchIndex(title, artist))
/// ```
/// An FTS5 table of external content named `<table>_search`: the texts are stored once. The table needs an INTEGER primary
/// key, for the rowid of any other table may change in a VACUUM. Words are found whatever their case and diacritics.
///
/// Source: sqlite.org/fts5.html, "External Content Tables".
public struct SearchIndex<R: Record>: Sendable {
    let definition: SearchDefinition

    /// - Parameters:
    ///   - columns: Texts of the record.
    ///   - prefixes: Lengths, in characters, of beginnings that are indexed; others are found by a scan of the terms.
    public init(_ columns: any TableColumn<R>..., prefixes: [Int] = [2, 3]) {
        definition = SearchDefinition(columns: columns.map(\.definition), prefixes: prefixes)
    }
}

struct SearchDefinition: Sendable {
    let columns: [ColumnDefinition]
    let prefixes: [Int]
}
