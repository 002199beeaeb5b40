internal import COgg

/// Takes an Ogg byte stream apart as it comes, of which the end is not known: pages may be split anywhere, and bytes that
/// are no page are passed over.
///
/// Only the first logical stream of each link of a chain is read; what is multiplexed with it is passed over.
/// Confined to its owner.
///
/// Source: RFC 3533 §6.
public struct OggStreamReader: Sendable {
    /// Something that was read from the stream.
    public enum Event: Sendable, Equatable {
        /// The first packet of a logical stream.
        case begin([UInt8])
        case packet([UInt8])
        /// The logical stream has ended. Its last packet ends at this granule position; −1 if it is not known.
        case end(granule: Int64)
    }

    private var buffer: [UInt8] = []
    private var start = 0
    private var serial: UInt32?
    /// The part of a packet that has come.
    private var partial: [UInt8] = []
    /// Whether `partial` lacks its beginning.
    private var isBroken = false

    /// A page has 65 307 bytes at most, so that more is no page that is still to be completed.
    private static let packetBytesMax = 1 << 20

    public init() {}

    /// - Parameter bytes: What follows the bytes before.
    public mutating func take(_ bytes: some Sequence<UInt8>) -> [Event] {
        buffer.append(contentsOf: bytes)
        var events: [Event] = []
        while let count = page(&events) { start += count }
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        return events
    }

    /// - Returns: The bytes to pass over; `nil` if there are too few.
    private mutating func page(_ events: inout [Event]) -> Int? {
        let left = buffer.count - start
        guard left >= OggPage.headerBytes else { return nil }
        guard buffer[start..<start + 4].elementsEqual("OggS".utf8), buffer[start + 4] == 0 else {
            return buffer[(start + 1)...].firstIndex(of: UInt8(ascii: "O")).map { $0 - start } ?? left
        }
        let segments = Int(buffer[start + 26])
        let headerBytes = OggPage.headerBytes + segments
        guard left >= headerBytes else { return nil }
        let lacing = Array(buffer[start + OggPage.headerBytes..<start + headerBytes])
        let count = headerBytes + lacing.reduce(0) { $0 + Int($1) }
        guard left >= count else { return nil }
        var page = Array(buffer[start..<start + count])
        guard Self.isWhole(&page, headerBytes) else { return 1 }
        read(page, lacing, headerBytes, &events)
        return count
    }

    private mutating func read(_ page: [UInt8], _ lacing: [UInt8], _ headerBytes: Int, _ events: inout [Event]) {
        let flags = page[5]
        func number<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
            page.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
        }
        let serial = number(14, UInt32.self)
        var isFirst = false
        if flags & 2 != 0 {
            guard self.serial == nil else { return }
            self.serial = serial
            (partial, isBroken, isFirst) = ([], false, true)
        }
        guard self.serial == serial else { return }
        if flags & 1 == 0 { (partial, isBroken) = ([], false) } else if partial.isEmpty { isBroken = true }
        var offset = headerBytes
        for size in lacing {
            partial += page[offset..<offset + Int(size)]
            offset += Int(size)
            if partial.count > Self.packetBytesMax { (partial, isBroken) = ([], true) }
            guard size < 255 else { continue }
            if !isBroken, !partial.isEmpty { events.append(isFirst ? .begin(partial) : .packet(partial)) }
            (partial, isBroken, isFirst) = ([], false, false)
        }
        if flags & 4 != 0 {
            events.append(.end(granule: number(6, Int64.self)))
            self.serial = nil
        }
    }

    private static func isWhole(_ page: inout [UInt8], _ headerBytes: Int) -> Bool {
        let told = Array(page[22..<26])
        page.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            var page = ogg_page(
                header: base, header_len: headerBytes, body: base + headerBytes, body_len: bytes.count - headerBytes)
            ogg_page_checksum_set(&page)
        }
        return Array(page[22..<26]) == told
    }
}
