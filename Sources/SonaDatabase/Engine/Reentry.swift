internal import Glibc

/// Finds accesses inside accesses of the same database, which could wait for themselves.
///
/// Each thread remembers the database whose closure it runs just now.
@usableFromInline enum Reentry {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let result = pthread_key_create(&key, nil)
        precondition(result == 0, "The process has no thread-local storage left.")
        return key
    }()

    /// A database as the threads remember it.
    @usableFromInline struct Place: Sendable {
        private let address: UInt

        @usableFromInline init(_ engine: DatabaseEngine) {
            address = UInt(bitPattern: Unmanaged.passUnretained(engine).toOpaque())
        }

        /// Enters the database: runs its closure on this thread.
        ///
        /// - Returns: What `leave` wants back.
        @usableFromInline func enter() -> UInt {
            let before = UInt(bitPattern: pthread_getspecific(Reentry.key))
            pthread_setspecific(Reentry.key, UnsafeRawPointer(bitPattern: address))
            return before
        }

        @usableFromInline func leave(_ before: UInt) {
            pthread_setspecific(Reentry.key, UnsafeRawPointer(bitPattern: before))
        }

        @usableFromInline var isHere: Bool { UInt(bitPattern: pthread_getspecific(Reentry.key)) == address }

        @inlinable func mark<Value>(_ body: () throws -> Value) rethrows -> Value {
            let before = enter()
            defer { leave(before) }
            return try body()
        }
    }

    /// - Throws: `misuse` on a thread that runs a closure of this database.
    @usableFromInline static func refuse(_ engine: DatabaseEngine) throws(DatabaseError) {
        guard Place(engine).isHere else { return }
        throw DatabaseError(
            kind: .misuse("an access inside an access of the same database: pass its db on instead"))
    }
}
