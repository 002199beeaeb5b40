/// Bytes that wait to be sent over one connection, in order.
struct HTTPOutput {
    private var parts: [[UInt8]] = []
    private var start = 0
    private(set) var count = 0
    var isEmpty: Bool { count == 0 }

    /// An answer that fits a few packets goes out in one piece.
    private static let joinedBytesMax = 16 * 1024

    mutating func append(_ head: [UInt8], _ body: [UInt8]?) {
        let body = body ?? []
        count += head.count + body.count
        if body.count <= Self.joinedBytesMax {
            parts.append(head + body)
        } else {
            parts.append(head)
            parts.append(body)
        }
    }

    func withFirst(atMost limit: Int, _ body: (UnsafeRawBufferPointer) -> Int) -> Int {
        parts[0].withUnsafeBytes { bytes in
            body(UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + limit)]))
        }
    }

    mutating func removeFirst(_ taken: Int) {
        count -= taken
        start += taken
        if start == parts[0].count {
            parts.removeFirst()
            start = 0
        }
    }
}
