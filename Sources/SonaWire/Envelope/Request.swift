/// The envelope of a client's text message: what is asked, and the number its reply will carry.
///
/// Source: Protocol/spec/connection.md, "Requests".
public struct Request: Equatable, Sendable {
    /// Chosen by the client, 0 to 2^53 − 1; the server only returns it.
    public var id: Int64
    /// Such as `room.join`. Not yet known to exist.
    public var type: String
    /// The object under `data`; empty if there was none.
    public var data: JSON

    public init(id: Int64, type: String, data: JSON = .emptyObject) {
        self.id = id
        self.type = type
        self.data = data
    }

    /// Reads a text message of at most `Limits.textBytesMax` bytes. Linear in its bytes.
    /// - Returns: The request, or what to answer: `request.malformed` if it is not JSON or not an envelope,
    ///   `request.too_deep` if its nesting exceeds `Limits.nestingDepthMax`.
    public static func parse(_ bytes: UnsafeRawBufferPointer) -> Result<Request, RequestFault> {
        let json: JSON
        do {
            json = try JSON.parse(bytes)
        } catch {
            switch error.kind {
            case .tooDeep: return .failure(RequestFault(id: nil, error: WireError(.requestTooDeep)))
            case .malformed:
                return .failure(
                    RequestFault(id: nil, error: WireError(.requestMalformed, "Not acceptable JSON: \(error).")))
            }
        }
        return parse(json)
    }

    /// The same for bytes in an array.
    public static func parse(_ bytes: [UInt8]) -> Result<Request, RequestFault> {
        bytes.withUnsafeBytes { parse($0) }
    }

    private static func parse(_ json: JSON) -> Result<Request, RequestFault> {
        func fault(_ id: Int64?, _ message: String, _ field: String? = nil) -> Result<Request, RequestFault> {
            .failure(RequestFault(id: id, error: WireError(.requestMalformed, message, field: field)))
        }
        guard json.object != nil else { return fault(nil, "A request is an object.") }
        guard let id = json["id"]?.integer, id >= 0 else {
            return fault(nil, "id must be an integer of 0 to 2^53 - 1.", "id")
        }
        guard let type = json["type"]?.string, 1...Limits.typeBytesMax ~= type.utf8.count else {
            return fault(id, "type must be a string of 1 to \(Limits.typeBytesMax) bytes.", "type")
        }
        switch json["data"] ?? .null {
        case .null: return .success(Request(id: id, type: type))
        case let data where data.object != nil: return .success(Request(id: id, type: type, data: data))
        default: return fault(id, "data must be an object.", "data")
        }
    }

    /// The text message that asks for `data`.
    public static func encode<Message: WireRequest>(id: Int64, _ data: Message) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", Message.type)
            writer.member("id", id)
            writer.member("data", data)
        }
        return writer.bytes
    }
}

/// A text message that is no request, with what there is to answer it.
public struct RequestFault: Error, Equatable, Sendable {
    /// The request's id, if it could be read; the reply then carries it, else `null`.
    public var id: Int64?
    /// Code, message and field of the reply.
    public var error: WireError

    public init(id: Int64?, error: WireError) {
        self.id = id
        self.error = error
    }
}
