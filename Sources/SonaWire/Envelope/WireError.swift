/// A refusal as it travels: the `error` of a reply.
///
/// Source: Protocol/spec/errors.md, "The error object".
public struct WireError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Which error it is. Codes are stable, so programs decide by them.
    public var code: ErrorCode
    /// A sentence for people; programs go by the code.
    public var message: String
    /// The field at fault, as a path from the top of the message: `data.stream.pre_skip`.
    public var field: String?
    /// The permission that was missing, with `auth.forbidden` and `auth.account_required`. See `Permission`.
    public var permission: String?
    /// When the request may succeed, counted from the arrival of the reply.
    public var retryAfterMilliseconds: Int?
    /// The version that there is, with `playlist.conflict`.
    public var version: Int64?

    /// - Parameter message: The code's own sentence if left out.
    public init(
        _ code: ErrorCode, _ message: String? = nil, field: String? = nil, permission: String? = nil,
        retryAfterMilliseconds: Int? = nil, version: Int64? = nil
    ) {
        self.code = code
        self.message = message ?? code.meaning
        self.field = field
        self.permission = permission
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.version = version
    }

    /// Code and message, for logs.
    public var description: String {
        "\(code.text)\(field.map { " (\($0))" } ?? ""): \(message)"
    }

    /// The same error seen from the object that holds the faulty one under `key`.
    func inside(_ key: String) -> WireError {
        var error = self
        error.field = field.map { $0.isEmpty ? key : "\(key).\($0)" } ?? key
        return error
    }
}

extension WireError: WireObject {
    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        let text = try fields.string("code", bytes: Limits.errorCodeBytes)
        guard let code = ErrorCode(text) else { throw fields.invalid("code", "is not an error code") }
        self.init(
            code,
            try fields.string("message", bytes: 0...Limits.textBytesMax),
            field: try fields.stringIfPresent("field", bytes: 0...Limits.textBytesMax),
            permission: try fields.stringIfPresent("permission", bytes: Limits.permissionBytes),
            retryAfterMilliseconds: try fields.integerIfPresent("retry_after_ms", in: 0...Limits.integerMax)
                .map { Int($0) },
            version: try fields.integerIfPresent("version", in: 0...Limits.integerMax))
    }

    /// The error object is the definition `error` of `objects.json`.
    public static let schemaName = "error"
    public static let schema = Schema.object([
        .init("code", Form.errorCode.schema, isRequired: true),
        .init("message", .string(bytes: 0...Int.max), isRequired: true),
        .init("field", Schema.string(bytes: 0...Int.max).orNull, isRequired: false),
        .init("permission", Form.permission.schema.orNull, isRequired: false),
        .init("retry_after_ms", Form<Int>.count.schema.orNull, isRequired: false),
        .init("version", Form<Int64>.count.schema.orNull, isRequired: false),
    ])

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", code.text)
            writer.member("message", message)
            writer.member("field", ifPresent: field)
            writer.member("permission", ifPresent: permission)
            writer.member("retry_after_ms", ifPresent: retryAfterMilliseconds)
            writer.member("version", ifPresent: version)
        }
    }
}
