internal import Glibc

/// Finds accesses inside accesses of the same database, which could wait for themselves.
///
/// Each thread remembers the databases whose closures it runs just now.
@usableFromInline enum Reentry {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let result = pthread_key_create(&key, nil)
        precondition(result == 0, "The process has no thread-local storage left.")
        return key
    }()

    /// One closure that runs on a thread, and the one around it. Lies on the thread's stack.
    @usableFromInline struct Frame {
        let address: UInt
        let outer: UnsafeMutableRawPointer?
    }

    /// A database as the threads remember it.
    @usableFromInline struct Place: Sendable {
        private let address: UInt

        @usableFromInline init(_ engine: DatabaseEngine) {
            address = UInt(bitPattern: Unmanaged.passUnretained(engine).toOpaque())
        }

        /// Runs a closure of the database on this thread.
        @inlinable func mark<Value>(_ body: () throws -> Value) rethrows -> Value {
            var frame = frame()
            return try withUnsafeMutablePointer(to: &frame) { frame in
                enter(frame)
                defer { leave(frame) }
                return try body()
            }
        }

        @usableFromInline func frame() -> Frame {
            Frame(address: address, outer: pthread_getspecific(Reentry.key))
        }

        @usableFromInline func enter(_ frame: UnsafeMutablePointer<Frame>) {
            pthread_setspecific(Reentry.key, frame)
        }

        @usableFromInline func leave(_ frame: UnsafeMutablePointer<Frame>) {
            pthread_setspecific(Reentry.key, frame.pointee.outer)
        }

        /// Whether this thread runs one of its closures, however many of others lie between.
        var isHere: Bool {
            var frame = pthread_getspecific(Reentry.key)
            while let known = frame?.assumingMemoryBound(to: Frame.self).pointee {
                if known.address == address { return true }
                frame = known.outer
            }
            return false
        }
    }

    /// - Throws: `misuse` on a thread that runs a closure of this database.
    @usableFromInline static func refuse(_ engine: DatabaseEngine) throws(DatabaseError) {
        guard Place(engine).isHere else { return }
        throw DatabaseError(
            kind: .misuse("an access inside an access of the same database: pass its db on instead"))
    }
}
