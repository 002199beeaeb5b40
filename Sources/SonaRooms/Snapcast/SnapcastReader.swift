internal import SonaWire

/// Takes the messages of a player out of the bytes that come from it. O(bytes).
package struct SnapcastReader: Sendable {
    /// Why a connection is given up.
    package struct Fault: Error, Sendable, Equatable {
        /// A sentence without its full stop, for the log.
        package let reason: String
    }

    private var bytes: [UInt8] = []
    /// Decodes base64.
    private let decoded: @Sendable (String) -> [UInt8]?

    /// - Parameter decoded: What base64 stands for; `nil` if it is none.
    package init(decoded: @escaping @Sendable (String) -> [UInt8]?) { self.decoded = decoded }

    /// Bytes of a message that has begun: at most a header and `SnapcastMessage.bodyBytesMax`.
    package var heldBytes: Int { bytes.count }

    /// - Returns: The messages that are whole, in their order.
    /// - Throws: `Fault`: what comes is no Snapcast, or too long.
    package mutating func take(_ more: UnsafeRawBufferPointer) throws(Fault) -> [SnapcastMessage.Received] {
        bytes += more
        var messages: [SnapcastMessage.Received] = []
        var start = 0
        defer { bytes.removeFirst(start) }
        while bytes.count - start >= SnapcastMessage.headBytes {
            let size = number(at: start + 22, UInt32.self)
            guard size <= SnapcastMessage.bodyBytesMax else {
                throw Fault(reason: "a message of \(size) bytes is announced")
            }
            let end = start + SnapcastMessage.headBytes + Int(size)
            guard bytes.count >= end else { break }
            messages.append(try message(at: start, Array(bytes[(start + SnapcastMessage.headBytes)..<end])))
            start = end
        }
        return messages
    }

    private func message(at start: Int, _ body: [UInt8]) throws(Fault) -> SnapcastMessage.Received {
        let (type, id) = (number(at: start, UInt16.self), number(at: start + 2, UInt16.self))
        switch SnapcastMessage.Kind(rawValue: type) {
        case .hello:
            guard let hello = SnapcastHello(try json(body), decoded: decoded) else {
                throw Fault(reason: "its Hello names no player, or another version than 2 of the protocol")
            }
            return .hello(hello, id: id)
        case .time:
            let seconds = Int64(number(at: start + 6, Int32.self))
            return .time(id: id, sent: seconds * 1_000_000 + Int64(number(at: start + 10, Int32.self)))
        case .clientInfo:
            let json = try json(body)
            guard let volume = json["volume"]?.integer, (0...100).contains(volume), let isMuted = json["muted"]?.bool
            else { throw Fault(reason: "it tells no volume from 0 to 100") }
            return .volume(Int(volume), muted: isMuted)
        default: return .other(type)
        }
    }

    /// The JSON of a body that is a text.
    private func json(_ body: [UInt8]) throws(Fault) -> JSON {
        guard body.count >= 4 else { throw Fault(reason: "a text has no length") }
        let size = body[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard size == body.count - 4 else { throw Fault(reason: "a text is longer or shorter than its message") }
        do { return try JSON.parse(Array(body[4...])) } catch { throw Fault(reason: "a text is no JSON: \(error)") }
    }

    private func number<Number: FixedWidthInteger>(at place: Int, _: Number.Type) -> Number {
        bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
    }
}
