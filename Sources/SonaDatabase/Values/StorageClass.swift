/// How SQLite stores a value, and what a STRICT table declares.
///
/// Source: sqlite.org/datatype3.html, sqlite.org/stricttables.html.
public enum StorageClass: String, Sendable {
    /// Signed integers of up to 64 bits.
    case integer = "INTEGER"
    /// IEEE 754 double precision.
    case real = "REAL"
    /// Text in UTF-8.
    case text = "TEXT"
    /// Bytes.
    case blob = "BLOB"
    /// A column that takes each of them.
    case any = "ANY"
}
