/// One value as SQLite stores it.
public enum DatabaseValue: Sendable, Hashable {
    case null
    case integer(Int64)
    /// Not a number is stored as NULL: SQLite knows no NaN.
    case real(Double)
    /// UTF-8, NUL included.
    case text(String)
    case blob([UInt8])
}
