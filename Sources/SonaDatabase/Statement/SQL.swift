/// One SQL statement, or a part of one, together with its values.
///
/// Interpolation binds; it never writes a value into the text, and no run-time `String` can become text:
/// ```swift
/// try db.first("SELECT name FROM albums WHERE id = \(id) AND year > \(year)") { row in try row[0] as String }
/// ```
/// The text comes from literals in the program (`StaticString`), so the compiler refuses everything else. Text without
/// values, a list of columns for instance, is kept in an `SQL` constant and spliced by the same interpolation; tables
/// and columns are spliced as quoted names.
///
/// The same with values apart, by position or by name:
/// ```swift
/// SQL("SELECT name FROM albums WHERE id = ?", id)
/// SQL("SELECT name FROM albums WHERE id = :id OR parent = :id", named: ["id": id])
/// ```
public struct SQL: Sendable, ExpressibleByStringInterpolation {
    /// Only literals of the source become SQL: a `String` made at run time does not compile here.
    public typealias StringLiteralType = StaticString

    /// The text in the pieces it was written in. Literals live for ever, so two with one address and length are one
    /// text: a statement seen before is found without building or hashing its text.
    ///
    /// Two numbers, so that SQL is put together without counting references.
    struct Piece: Sendable, Equatable {
        /// The address of a literal; of a text made at run time, its place in `made`.
        let start: UInt
        /// Bytes of a literal.
        let count: Int

        static let parameter = Piece(start: 0, count: -1)
        static func made(_ place: Int) -> Piece { Piece(start: UInt(place), count: -2) }
        var isMade: Bool { count == -2 }
    }

    private(set) var pieces: [Piece]
    /// Texts that are no literals: names that came at run time.
    private(set) var made: [String] = []
    /// Equal for equal pieces, and nearly always different for others.
    private(set) var fingerprint: UInt64
    /// The bound values, in the order of their places.
    public private(set) var arguments: [DatabaseValue]
    /// The names of the arguments; empty if they are bound by position.
    private(set) var names: [String] = []

    init() {
        pieces = []
        fingerprint = 0xCBF2_9CE4_8422_2325
        arguments = []
    }

    /// A statement, or a part of one, without arguments.
    public init(stringLiteral text: StaticString) {
        self.init()
        append(text)
    }

    /// Each interpolated value becomes a bound argument, each interpolated `SQL` a part of the text.
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

    /// A statement with a `?` for each argument, in order.
    public init(_ text: StaticString, _ arguments: any DatabaseValueConvertible...) {
        self.init(stringLiteral: text)
        self.arguments = arguments.map(\.databaseValue)
    }

    /// A statement with a `:name` for each argument; a name may come more than once.
    public init(_ text: StaticString, named arguments: KeyValuePairs<StaticString, any DatabaseValueConvertible>) {
        self.init(stringLiteral: text)
        self.arguments = arguments.map(\.value.databaseValue)
        names = arguments.map { ":\($0.key)" }
    }

    /// Text made by this layer out of names it has quoted.
    init(trusted text: String) {
        self.init()
        append(made: text)
    }

    /// The same for text kept as long as the process lives, such as that of a table: it is never hashed again.
    init(immortal text: String) {
        self.init()
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = bytes.initialize(from: text.utf8)
        append(Piece(start: UInt(bitPattern: bytes.baseAddress), count: bytes.count))
    }

    /// The text that SQLite parses: a `?` for each interpolated value.
    public var text: String {
        var text = ""
        for piece in pieces {
            if piece == .parameter {
                text += "?"
            } else if piece.isMade {
                text += made[Int(piece.start)]
            } else {
                let bytes = UnsafeBufferPointer(
                    start: UnsafePointer<UInt8>(bitPattern: piece.start), count: piece.count)
                text += String(decoding: bytes, as: UTF8.self)
            }
        }
        return text
    }

    /// A name that came at run time, quoted: for tools that show tables they do not know.
    ///
    /// - Throws: `misuse` unless it is 1–64 letters (a–z, A–Z), digits and underscores that do not begin with a digit.
    public static func identifier(_ name: String) throws(DatabaseError) -> SQL {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        let first = name.utf8.first ?? UInt8(ascii: "0")
        guard isPlain, name.utf8.count <= 64, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            throw DatabaseError(kind: .misuse("a name in SQL is 1 to 64 letters, digits and underscores"))
        }
        return SQL(trusted: quoted(name))
    }

    static func quoted(_ name: String) -> String {
        // A NUL would end the text early. By scalars: a quote and a combining mark after it are one character to Swift.
        "\"" + name.unicodeScalars.map { $0 == "\0" ? "" : $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    // MARK: Steps

    fileprivate mutating func append(_ text: StaticString) {
        if text.hasPointerRepresentation {
            append(Piece(start: UInt(bitPattern: text.utf8Start), count: text.utf8CodeUnitCount))
        } else {
            append(made: "\(text)")
        }
    }

    private mutating func append(_ piece: Piece) {
        guard piece.count != 0 else { return }
        mix(piece)
        pieces.append(piece)
    }

    private mutating func append(made text: String) {
        for byte in text.utf8 { mix(UInt64(byte)) }
        pieces.append(.made(made.count))
        made.append(text)
    }

    private mutating func mix(_ piece: Piece) {
        mix(UInt64(piece.start) ^ UInt64(truncatingIfNeeded: piece.count) << 48)
    }

    /// FNV-1a over words, with the high bits folded back: addresses differ in their middle.
    private mutating func mix(_ word: UInt64) {
        fingerprint = (fingerprint ^ word) &* 0x100_0000_01B3
        fingerprint ^= fingerprint >> 29
    }

    mutating func append(_ other: SQL) {
        if other.made.isEmpty {
            for piece in other.pieces { mix(piece) }
            pieces += other.pieces
        } else {
            for piece in other.pieces {
                if piece.isMade { append(made: other.made[Int(piece.start)]) } else { append(piece) }
            }
        }
        if !other.arguments.isEmpty { arguments += other.arguments }
        if !other.names.isEmpty { names += other.names }
    }

    /// The same SQL with other text in place of its bound values.
    func replacingParameters(_ replacement: () -> SQL?) -> SQL {
        var sql = SQL()
        for piece in pieces {
            if piece == .parameter {
                sql.append(replacement() ?? "?")
            } else if piece.isMade {
                sql.append(made: made[Int(piece.start)])
            } else {
                sql.append(piece)
            }
        }
        return sql
    }

    mutating func append(_ value: DatabaseValue) {
        append(.parameter)
        arguments.append(value)
    }

    /// Collects the pieces of an interpolated statement.
    public struct StringInterpolation: StringInterpolationProtocol {
        /// As in `SQL`: only literals of the source.
        public typealias StringLiteralType = StaticString
        var sql = SQL()

        /// Makes room for the pieces. Called by the compiler.
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql.pieces.reserveCapacity(interpolationCount * 2 + 1)
            sql.arguments.reserveCapacity(interpolationCount)
        }

        /// Appends SQL that stands in the source.
        public mutating func appendLiteral(_ literal: StaticString) { sql.append(literal) }

        /// Appends a `?` and binds the value to it. No value becomes part of the text.
        public mutating func appendInterpolation(_ value: some DatabaseValueConvertible) {
            sql.append(value.databaseValue)
        }

        /// NULL if there is no value. (Apart, so that the compiler does not take it for a debug description.)
        public mutating func appendInterpolation<Value: DatabaseValueConvertible>(_ value: Value?) {
            sql.append(value?.databaseValue ?? .null)
        }

        /// Appends another statement's text and arguments.
        public mutating func appendInterpolation(_ part: SQL) { sql.append(part) }
    }
}

/// The text alone: values stay out of logs.
extension SQL: CustomStringConvertible {
    /// The text with a `?` for each value.
    public var description: String { text }
}
