/// Numbers in a file that may lie about its own length: whatever is not wholly inside is nil.
struct ByteFields {
    enum ByteOrder { case bigEndian, littleEndian }

    let bytes: ArraySlice<UInt8>
    let byteOrder: ByteOrder

    init(_ bytes: ArraySlice<UInt8>, _ byteOrder: ByteOrder) {
        self.bytes = bytes
        self.byteOrder = byteOrder
    }

    var count: Int { bytes.count }

    /// `offset` counts from the start of these bytes.
    func uint16(at offset: Int) -> Int? { number(at: offset, count: 2) }
    func uint32(at offset: Int) -> Int? { number(at: offset, count: 4) }

    /// The `count` bytes from `offset` on.
    func slice(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        let start = bytes.startIndex + offset
        return bytes[start..<start + count]
    }

    /// Whether `text` stands at `offset`.
    func has(_ text: String, at offset: Int) -> Bool {
        slice(at: offset, count: text.utf8.count)?.elementsEqual(text.utf8) ?? false
    }

    private func number(at offset: Int, count: Int) -> Int? {
        guard let field = slice(at: offset, count: count) else { return nil }
        return switch byteOrder {
        case .bigEndian: field.reduce(0) { $0 << 8 | Int($1) }
        case .littleEndian: field.reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
