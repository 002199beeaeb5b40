extension UnsafeRawBufferPointer {
    /// The big-endian integer at `offset`, which the caller has checked to lie within.
    func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: Value.Type = Value.self
    ) -> Value {
        precondition(offset >= 0 && offset <= count - MemoryLayout<Value>.size, "The frame's length was not checked.")
        return Value(bigEndian: loadUnaligned(fromByteOffset: offset, as: Value.self))
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}

/// The first bytes of the binary messages, and what they have in common.
///
/// Source: Protocol/schema/frames.json.
enum FrameType {
    static let timeRequest: UInt8 = 0x01
    static let timeResponse: UInt8 = 0x02
    static let audioDown: UInt8 = 0x10
    static let bundleDown: UInt8 = 0x11
    static let audioUp: UInt8 = 0x20
    static let position: UInt8 = 0x30
    static let capture: UInt8 = 0x31

    /// Types with this bit may be skipped by receivers that do not know them.
    static let ignorableBit: UInt8 = 0x80

    static func checkLength(_ bytes: UnsafeRawBufferPointer, exactly count: Int) throws(WireError) {
        guard bytes.count == count else {
            throw WireError(.frameMalformed, "The frame has \(bytes.count) bytes instead of \(count).")
        }
    }

    /// Checks the packet after a header and returns where it lies. Does not check that it is Opus.
    static func packet(in bytes: UnsafeRawBufferPointer, after header: Int) throws(WireError) -> Range<Int> {
        guard bytes.count > header else {
            throw WireError(.frameMalformed, "The frame has \(bytes.count) bytes and no packet.")
        }
        guard bytes.count - header <= Limits.packetBytesMax else {
            throw WireError(.frameMalformed, "The packet has more than \(Limits.packetBytesMax) bytes.")
        }
        return header..<bytes.count
    }

    static func checkSamples(_ samples: UInt32) throws(WireError) {
        guard 1...Limits.packetSamplesMax ~= samples else {
            throw WireError(.audioMalformed, "A packet has 1 to \(Limits.packetSamplesMax) samples, not \(samples).")
        }
    }

    /// Times and positions in frames are held to the range that text messages can carry.
    static func check(_ value: Int64, in range: ClosedRange<Int64>, _ name: String) throws(WireError) {
        guard range.contains(value) else { throw WireError(.frameMalformed, "\(name) is out of range.") }
    }

    static let anyTime: ClosedRange<Int64> = -Limits.integerMax...Limits.integerMax
    static let notNegative: ClosedRange<Int64> = 0...Limits.integerMax
}
