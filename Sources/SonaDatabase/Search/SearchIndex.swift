internal import Synchronization

/// A full-text index over columns of a table, kept in step by triggers.
///
/// ```swift
/// static let table = Table<Self>("albums", id, title, artist, search: SearchIndex(title, artist))
/// ```
/// An FTS5 table of external content named `<table>_search`: the texts are stored once. The table needs an INTEGER
/// primary key, for the rowid of any other table may change in a VACUUM. Words are found whatever their case, and Latin
/// letters whatever their diacritics; in scripts without spaces every part of a text is found. See `SearchTokenizer`.
///
/// Texts are compared as they are stored. Store them in Unicode's form NFC: a Latin letter is found in both forms, a
/// kana or a Hangul syllable in its own only.
///
/// Source: sqlite.org/fts5.html, "External Content Tables".
public struct SearchIndex<R: Record>: Sendable {
    let definition: SearchDefinition

    /// - Parameters:
    ///   - columns: Texts of the record. None of them named `rank` or `rowid`, which are FTS5's own.
    ///   - prefixes: Lengths, in characters, of beginnings that are indexed; others are found by a scan of the terms.
    ///   - tokenizer: Decides what a word is. After a change the index is made anew at the next opening.
    public init(
        _ columns: any TableColumn<R>..., prefixes: [Int] = [2, 3], tokenizer: SearchTokenizer = .words
    ) {
        definition = SearchDefinition(
            columns: columns.map(\.definition), prefixes: prefixes, tokenizer: tokenizer)
    }
}

/// The rule by which a search index divides text into words.
public enum SearchTokenizer: Sendable {
    /// Works as `unicode61`, except that every character of a script without spaces is a word of its own: Han,
    /// Hiragana, Katakana, Thai, Lao, Khmer, Myanmar. A query in them is a phrase, so 東京 is found in 新東京物語, which
    /// `unicode61` takes for one word. Emoji newer than SQLite's tables are not part of the word they stand at.
    ///
    /// Programs that do not have this tokenizer, such as the `sqlite3` shell, can read, copy and VACUUM the file, but
    /// neither search nor write rows of the table: its triggers fail with "no such tokenizer". For a repair by hand,
    /// drop the three triggers `<table>_search_insert`, `_update` and `_delete`: the next opening finds them missing
    /// and makes the index anew.
    case words
    /// SQLite's own, for tables into which other programs write: letters and digits between anything else, without case
    /// and, in Latin script, without diacritics.
    case unicode61

    /// The tokenizer as `CREATE VIRTUAL TABLE` takes it. The number is the version of `WordTokenizer`: change it with
    /// its behaviour, and every index is made anew.
    var declaration: String {
        switch self {
        case .words: "sona_words 1"
        case .unicode61: "unicode61 remove_diacritics 2"
        }
    }
}

/// The facts that the index of a table is made from, without its record's type.
final class SearchDefinition: Sendable {
    let columns: [ColumnDefinition]
    let prefixes: [Int]
    let tokenizer: SearchTokenizer
    /// The statements of each table that has this index, by the table's number; one, unless a record is declared twice.
    private let statements = Mutex<[Int: SearchSQL]>([:])

    init(columns: [ColumnDefinition], prefixes: [Int], tokenizer: SearchTokenizer) {
        precondition(!columns.isEmpty, "A search index has no columns.")
        self.columns = columns
        self.prefixes = prefixes
        self.tokenizer = tokenizer
    }

    /// The statements of searches in `table`: made on first use, then found in some 20 ns.
    func sql(for table: TableDefinition) throws(DatabaseError) -> SearchSQL {
        let key = try rowID(of: table)
        return statements.withLock { statements in
            if let known = statements[table.number] { return known }
            let made = SearchSQL(table, key: key, index: indexName(table), columnCount: columns.count)
            statements[table.number] = made
            return made
        }
    }

    /// The position of a column in the index.
    ///
    /// - Throws: `misuse` if the column is not part of the index.
    func place(of column: ColumnDefinition) throws(DatabaseError) -> Int {
        guard let place = columns.firstIndex(where: { $0 === column }) else {
            throw DatabaseError(kind: .misuse("the column \(column.name) is not in the search index"))
        }
        return place
    }
}
