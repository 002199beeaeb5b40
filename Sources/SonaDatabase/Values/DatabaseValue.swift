/// One value as SQLite stores it.
public enum DatabaseValue: Sendable, Hashable {
    /// NULL.
    case null
    /// A signed integer of 64 bits.
    case integer(Int64)
    /// A 64-bit float. NaN is stored as NULL, since SQLite has no NaN.
    case real(Double)
    /// UTF-8, NUL included.
    case text(String)
    /// Bytes, possibly none.
    case blob([UInt8])
}

extension DatabaseValue {
    /// Compares as SQLite does: texts are equal if their bytes are, whereas Swift's `String` also equates canonically
    /// equivalent texts.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    /// Agrees with `==`.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.bitPattern)
        case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .blob(let value): hasher.combine(value)
        }
    }
}
