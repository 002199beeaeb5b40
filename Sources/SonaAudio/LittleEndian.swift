/// Integers of Ogg and Opus headers, all little-endian (RFC 3533 §6, RFC 7845 §5).
extension UnsafeRawBufferPointer {
    /// The integer at `offset`. The caller has checked that it lies inside; reading past the end is our bug.
    func littleEndian<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type) -> T {
        precondition(
            offset >= 0 && offset <= count - MemoryLayout<T>.size, "A header field was read past the end of its bytes.")
        return T(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// Whether the bytes begin with `magic`.
    func starts(with magic: StaticString) -> Bool {
        let length = magic.utf8CodeUnitCount
        guard count >= length else { return false }
        return self[..<length].elementsEqual(UnsafeBufferPointer(start: magic.utf8Start, count: length))
    }
}

extension [UInt8] {
    mutating func append<T: FixedWidthInteger>(littleEndian value: T) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
