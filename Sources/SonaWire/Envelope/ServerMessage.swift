/// A server's text message as a client reads it: a reply or an event.
///
/// Source: Protocol/spec/connection.md, "Replies" and "Events".
public enum ServerMessage: Equatable, Sendable {
    /// The reply to a request that was carried out. `id` is the request's; `data` is its `Response`.
    case ok(id: Int64, data: JSON)
    /// `id` is `nil` if the server could not read the request's, or answers a binary message.
    case error(id: Int64?, WireError)
    /// An event, of a type that may be unknown; `room` is `nil` for personal events, `seq` for live ones.
    case event(type: String, room: RoomID?, seq: Int64?, data: JSON)

    /// - Throws: `request.malformed` or `request.too_deep` for what no server of this protocol sends.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(WireError) {
        let json: JSON
        do {
            json = try JSON.parse(bytes)
        } catch {
            throw WireError(error.kind == .tooDeep ? .requestTooDeep : .requestMalformed, "\(error)")
        }
        try self.init(json)
    }

    /// The same for bytes in an array.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        self = try bytes.withUnsafeBytes { buffer in
            Result { () throws(WireError) in try ServerMessage(parsing: buffer) }
        }.get()
    }

    private init(_ json: JSON) throws(WireError) {
        guard let type = json["type"]?.string, 1...Limits.typeBytesMax ~= type.utf8.count else {
            throw Self.malformed("type")
        }
        let data = json["data"] ?? .null
        switch type {
        case "ok":
            guard let id = json["id"]?.integer, id >= 0 else { throw Self.malformed("id") }
            guard data.object != nil else { throw Self.malformed("data") }
            self = .ok(id: id, data: data)
        case "error":
            let id = json["id"] ?? .null
            guard id.isNull || id.integer.map({ $0 >= 0 }) == true else { throw Self.malformed("id") }
            do {
                self = .error(id: id.integer, try WireError(json["error"] ?? .null))
            } catch {
                throw error.inside("error")
            }
        default:
            guard data.object != nil else { throw Self.malformed("data") }
            var room: RoomID?
            if let text = json["room"], !text.isNull {
                guard let id = text.string.flatMap(RoomID.init) else { throw Self.malformed("room") }
                room = id
            }
            let seq = json["seq"] ?? .null
            guard seq.isNull || seq.integer.map({ $0 >= 0 }) == true else { throw Self.malformed("seq") }
            self = .event(type: type, room: room, seq: seq.integer, data: data)
        }
    }

    private static func malformed(_ field: String) -> WireError {
        WireError(.requestMalformed, "\(field) is missing or unusable.", field: field)
    }
}
