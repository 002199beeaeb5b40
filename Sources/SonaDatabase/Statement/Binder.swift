public import CSQLite

/// Takes the values of a statement, first to last.
///
/// Lent to `Record.bind(to:)`, whose order is that of the table's columns. It cannot be copied or kept.
public struct Binder: ~Copyable {
    /// `nil`: values are collected instead.
    @usableFromInline let statement: OpaquePointer?
    /// The number of the parameter bound last.
    @usableFromInline var position: Int32 = 0
    /// The first error of SQLite's, or SQLITE_OK.
    @usableFromInline var code: Int32 = SQLITE_OK
    @usableFromInline var collected: [DatabaseValue] = []
    /// Memory of the statement's for short texts, and how much of it is left.
    @usableFromInline var scratch: UnsafeMutablePointer<UInt8>?
    @usableFromInline var room: Int

    @inlinable init(_ statement: OpaquePointer?, scratch: UnsafeMutablePointer<UInt8>? = nil, room: Int = 0) {
        self.statement = statement
        self.scratch = scratch
        self.room = room
    }

    /// Binds the next value.
    @inlinable public mutating func next(_ value: some DatabaseValueConvertible) { value.bind(to: &self) }

    // MARK: What values bind themselves with; each takes one place.

    /// Binds NULL.
    @inlinable public mutating func null() {
        guard let statement = advance() else { return collect(.null) }
        note(sqlite3_bind_null(statement, position))
    }

    /// Binds an INTEGER.
    @inlinable public mutating func integer(_ value: Int64) {
        guard let statement = advance() else { return collect(.integer(value)) }
        note(sqlite3_bind_int64(statement, position, value))
    }

    /// Binds a REAL. NaN becomes NULL, since SQLite has no NaN.
    @inlinable public mutating func real(_ value: Double) {
        guard let statement = advance() else { return collect(.real(value)) }
        note(sqlite3_bind_double(statement, position, value))
    }

    /// Binds a TEXT in UTF-8.
    @inlinable public mutating func text(_ value: String) {
        guard let statement = advance() else { return collect(.text(value)) }
        var value = value
        let position = position
        let count = value.utf8.count
        if let place = scratch, count <= room {
            value.withUTF8 { bytes in
                if let start = bytes.baseAddress { place.update(from: start, count: count) }
            }
            note(sona_sqlite_bind_static_text(statement, position, place, UInt64(count)))
            scratch = place + count
            room -= count
            return
        }
        note(
            value.withUTF8 { bytes in
                // A NULL pointer would bind NULL in place of the empty text.
                guard let start = bytes.baseAddress else { return sona_sqlite_bind_text(statement, position, "", 0) }
                return sona_sqlite_bind_text(statement, position, start, UInt64(bytes.count))
            })
    }

    /// Binds a BLOB. SQLite copies the bytes; none at all make an empty BLOB, not NULL.
    @inlinable public mutating func blob(_ bytes: UnsafeRawBufferPointer) {
        guard let statement = advance() else { return collect(.blob(Array(bytes))) }
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return note(sqlite3_bind_zeroblob(statement, position, 0))
        }
        note(sona_sqlite_bind_blob(statement, position, start, UInt64(bytes.count)))
    }

    /// Binds a value by its case.
    @inlinable public mutating func value(_ value: DatabaseValue) {
        switch value {
        case .null: null()
        case .integer(let value): integer(value)
        case .real(let value): real(value)
        case .text(let value): text(value)
        case .blob(let value): value.withUnsafeBytes { blob($0) }
        }
    }

    // MARK: Steps

    @inlinable mutating func advance() -> OpaquePointer? {
        position &+= 1
        return statement
    }

    @inlinable mutating func note(_ result: Int32) {
        if result != SQLITE_OK, code == SQLITE_OK { code = result }
    }

    @usableFromInline mutating func collect(_ value: DatabaseValue) { collected.append(value) }

    /// The values that `body` would bind.
    static func values(of body: (inout Binder) -> Void) -> [DatabaseValue] {
        var binder = Binder(nil)
        body(&binder)
        return binder.collected
    }
}
