/// How SQLite stores a value, and what a STRICT table declares.
///
/// Source: sqlite.org/datatype3.html, sqlite.org/stricttables.html.
public enum StorageClass: String, Sendable {
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
    case blob = "BLOB"
    /// A column that takes each of them.
    case any = "ANY"
}
