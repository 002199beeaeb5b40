internal import SonaWire

/// The messages of Snapcast's binary protocol, version 2, as far as a server needs them.
///
/// A message is a header and a body, all little-endian:
///
///     0   2  u16  type
///     2   2  u16  id: chosen by the sender of a request
///     4   2  u16  refersTo: the id of the request that this answers, else 0
///     6   8  i32 seconds, i32 microseconds: when it was sent, on the sender's clock
///     14  8  the same: when it was received, on the receiver's; filled in by whoever receives it
///     22  4  u32  bytes of the body
///
/// Texts are a u32 of their bytes, then UTF-8. Source: deploy/snapcast.md; the project's doc/binary_protocol.md.
package enum SnapcastMessage {
    package static let headBytes = 26
    /// Most bytes of a body that is taken: a Hello has some 300.
    package static let bodyBytesMax = 4_096

    /// What players send.
    package enum Received: Sendable, Equatable {
        case hello(SnapcastHello, id: UInt16)
        /// Asks for the time. `sent`: µs of the player's clock.
        case time(id: UInt16, sent: Int64)
        /// The player's own volume, 0 to 100, and whether it is silent, have been changed at the player.
        case volume(Int, muted: Bool)
        /// Of a type that a server has no use for.
        case other(UInt16)
    }

    enum Kind: UInt16 {
        case codecHeader = 1
        case chunk, settings, time, hello
        case clientInfo = 7
        case error
    }

    // MARK: What a server sends

    /// The answer to a request for the time.
    ///
    /// - Parameters:
    ///   - sent: When the request was sent, µs of the player's clock.
    ///   - received: When it came, µs of ours.
    ///   - now: When the answer goes out, µs of ours.
    package static func time(refersTo id: UInt16, sent: Int64, received: Int64, now: Int64) -> [UInt8] {
        var body: [UInt8] = []
        append(time: received - sent, to: &body)
        return message(.time, refersTo: id, now: now, received: received, body)
    }

    /// How a player is to play.
    ///
    /// - Parameters:
    ///   - buffer: How much later than its time a chunk sounds, ms.
    ///   - latency: How much earlier this player plays, because its output is late by that, ms.
    ///   - volume: 0 to 100.
    package static func settings(
        refersTo id: UInt16 = 0, buffer: Int, latency: Int, volume: Int, muted: Bool, now: Int64
    ) -> [UInt8] {
        let text =
            "{\"bufferMs\":\(buffer),\"latency\":\(latency),\"muted\":\(muted),\"volume\":\(volume)}"
        var body: [UInt8] = []
        append(text: text, to: &body)
        return message(.settings, refersTo: id, now: now, body)
    }

    /// Opus in stereo follows. A player that has this begins anew: it throws away what it has.
    package static func opus(now: Int64) -> [UInt8] {
        var body: [UInt8] = []
        append(text: "opus", to: &body)
        append(UInt32(12), to: &body)
        append(UInt32(0x4F50_5553), to: &body)
        append(UInt32(48_000), to: &body)
        append(UInt16(16), to: &body)
        append(UInt16(2), to: &body)
        return message(.codecHeader, now: now, body)
    }

    /// One Opus packet.
    ///
    /// - Parameter time: A buffer before its first sample sounds, µs of the clock of `time`.
    package static func chunk(_ packet: [UInt8], at time: Int64, now: Int64) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(12 + packet.count)
        append(time: time, to: &body)
        append(UInt32(packet.count), to: &body)
        body += packet
        return message(.chunk, now: now, body)
    }

    /// Why the connection is closed. Players older than 0.32 do not know it.
    package static func error(_ code: UInt32, _ error: String, refersTo id: UInt16, now: Int64) -> [UInt8] {
        var body: [UInt8] = []
        append(code, to: &body)
        append(text: error, to: &body)
        append(text: error, to: &body)
        return message(.error, refersTo: id, now: now, body)
    }

    // MARK: Bytes

    private static func message(
        _ kind: Kind, refersTo id: UInt16 = 0, now: Int64, received: Int64 = 0, _ body: [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headBytes + body.count)
        append(kind.rawValue, to: &bytes)
        append(UInt16(0), to: &bytes)
        append(id, to: &bytes)
        append(time: now, to: &bytes)
        append(time: received, to: &bytes)
        append(UInt32(body.count), to: &bytes)
        return bytes + body
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    /// Seconds and microseconds, the latter never negative.
    private static func append(time: Int64, to bytes: inout [UInt8]) {
        let seconds = time >= 0 ? time / 1_000_000 : (time - 999_999) / 1_000_000
        append(Int32(truncatingIfNeeded: seconds), to: &bytes)
        append(Int32(truncatingIfNeeded: time - seconds * 1_000_000), to: &bytes)
    }

    private static func append(text: String, to bytes: inout [UInt8]) {
        append(UInt32(text.utf8.count), to: &bytes)
        bytes += text.utf8
    }
}

/// What a player says of itself when it comes.
package struct SnapcastHello: Sendable, Equatable {
    /// What tells it from all others: its `ID`, else its `MAC`, and `#` and its instance if that is not the first.
    package var speaker: String
    /// What its machine is called.
    package var name: String
    /// The room that it names and its token, if it knows how to say so (`Auth`, Basic).
    package var sign: (user: String, password: String)?

    package static func == (one: Self, other: Self) -> Bool {
        one.speaker == other.speaker && one.name == other.name && one.sign?.user == other.sign?.user
            && one.sign?.password == other.sign?.password
    }

    package init(speaker: String, name: String, sign: (user: String, password: String)? = nil) {
        (self.speaker, self.name, self.sign) = (speaker, name, sign)
    }

    /// - Returns: `nil` if it says nothing by which it could be known, or speaks another version.
    init?(_ json: JSON, decoded: (String) -> [UInt8]?) {
        guard json["SnapStreamProtocolVersion"]?.integer == 2 else { return nil }
        let ids = [json["ID"], json["MAC"]].compactMap { $0?.string }
        guard let id = ids.first(where: { !$0.isEmpty }) else { return nil }
        let instance = json["Instance"]?.integer ?? 1
        let speaker = instance > 1 ? "\(id)#\(instance)" : id
        guard Limits.speakerIDBytes.contains(speaker.utf8.count), speaker.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        let shown = (json["HostName"]?.string ?? "").unicodeScalars.filter {
            !$0.properties.isWhitespace && $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
        }
        var name = String(String.UnicodeScalarView(shown))
        while name.utf8.count > Limits.speakerNameBytes.upperBound { name.removeLast() }
        self.init(speaker: speaker, name: name.isEmpty ? speaker : name)
        guard let auth = json["Auth"], auth["scheme"]?.string?.lowercased() == "basic",
            let bytes = auth["param"]?.string.flatMap(decoded)
        else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":") else { return }
        sign = (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }
}
