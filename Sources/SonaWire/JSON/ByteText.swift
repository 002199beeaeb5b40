/// A buffer that bytes are appended to. An array checks capacity and unique ownership on every append; this checks them
/// once for a whole `write`.
struct ByteText: Sendable {
    /// Filled up to `count`.
    private var storage: [UInt8]
    private var count = 0

    init(reserving: Int) {
        storage = [UInt8](repeating: 0, count: max(reserving, 16))
    }

    var bytes: [UInt8] { Array(storage[..<count]) }

    /// - Parameters:
    ///   - most: What `write` may write, bytes.
    ///   - write: Writes from a place on and returns where it ended.
    @inline(__always)
    mutating func write(most: Int, _ write: (Place) -> Place) {
        if storage.count - count < most { grow(by: most) }
        count += storage.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            let written = write(Place(next: base + count)).next - (base + count)
            assert(written <= most, "more was written than there was room for")
            return written
        }
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        write(most: 1) { $0.then(byte) }
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        storage.append(contentsOf: repeatElement(0, count: max(more, storage.count)))
    }

    /// Where the next byte goes.
    struct Place {
        fileprivate var next: UnsafeMutablePointer<UInt8>

        @inline(__always)
        func then(_ byte: UInt8) -> Place {
            next.pointee = byte
            return Place(next: next + 1)
        }

        @inline(__always)
        func then(_ literal: StaticString) -> Place {
            next.update(from: literal.utf8Start, count: literal.utf8CodeUnitCount)
            return Place(next: next + literal.utf8CodeUnitCount)
        }

        @inline(__always)
        func then(_ bytes: UnsafeBufferPointer<UInt8>) -> Place {
            guard let base = bytes.baseAddress else { return self }
            next.update(from: base, count: bytes.count)
            return Place(next: next + bytes.count)
        }
    }
}
