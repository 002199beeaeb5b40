/// `account.export`: all that is stored about the account, and a code with which it can be removed.
///
/// Source: Protocol/spec/accounts.md, "account.export".
public struct AccountExport: FieldlessRequest {
    public typealias Response = AccountExportResult
    public static let type = "account.export"
    public static let permission: Permission? = .accountManage

    public init() {}
}

/// The answer to `account.export`.
public struct AccountExportResult: WireObject, Equatable {
    /// An object for people and other programs to read; what is in it is not fixed.
    public var export: JSON
    /// 1 to 128 bytes; good for one `account.remove`.
    public var code: String
    public var codeExpiresInSeconds: Int

    public init(export: JSON, code: String, codeExpiresInSeconds: Int) {
        self.export = export
        self.code = code
        self.codeExpiresInSeconds = codeExpiresInSeconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        export = try fields.anyObject("export")
        code = try fields.code()
        codeExpiresInSeconds = Int(try fields.integer("code_expires_in_s", in: 0...Limits.integerMax))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("export")
            export.encode(into: &writer)
            writer.member("code", code)
            writer.member("code_expires_in_s", codeExpiresInSeconds)
        }
    }
}

/// `account.remove`: erases the account. There is no way back.
///
/// Source: Protocol/spec/accounts.md, "account.remove".
public struct AccountRemove: CodeRequest {
    public typealias Response = Empty
    public static let type = "account.remove"
    public static let permission: Permission? = .accountManage

    public var code: String

    public init(code: String) { self.code = code }
}
