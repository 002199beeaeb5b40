/// `auth.exchange`: signs the connection in with the token of an outside issuer.
///
/// Source: Protocol/spec/accounts.md, "auth.exchange".
public struct AuthExchange: WireRequest {
    public typealias Response = Grant
    public static let type = "auth.exchange"

    /// 1 to 32 bytes; `firebase` so far.
    public var provider: String
    /// 1 to 8192 bytes.
    public var token: String

    public init(provider: String, token: String) {
        self.provider = provider
        self.token = token
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        provider = try fields.string("provider", bytes: Limits.providerBytes)
        token = try fields.string("token", bytes: Limits.providerTokenBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("provider", provider)
            writer.member("token", token)
        }
    }
}

/// `auth.reauthenticate`: proves again who the user is, for what needs a proof of the last five minutes.
///
/// Source: Protocol/spec/accounts.md, "auth.reauthenticate".
public struct AuthReauthenticate: WireRequest {
    public typealias Response = AccessGrant
    public static let type = "auth.reauthenticate"
    public static let permission: Permission? = .accountManage

    public enum Proof: Equatable, Sendable {
        /// At most 512 bytes.
        case password(String)
        /// The provider's name, 1 to 32 bytes, and a fresh token of theirs, 1 to 8192 bytes.
        case provider(String, token: String)
    }

    public var proof: Proof

    public init(proof: Proof) { self.proof = proof }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        let password = try fields.stringIfPresent("password", bytes: 0...Limits.passwordBytesMax)
        let provider = try fields.stringIfPresent("provider", bytes: Limits.providerBytes)
        let token = try fields.stringIfPresent("token", bytes: Limits.providerTokenBytes)
        switch (password, provider, token) {
        case (let password?, nil, nil): proof = .password(password)
        case (nil, let provider?, let token?): proof = .provider(provider, token: token)
        default:
            throw WireError(
                .requestInvalid, "data holds either a password or a provider with a token.", field: "data")
        }
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            switch proof {
            case .password(let password): writer.member("password", password)
            case .provider(let provider, let token):
                writer.member("provider", provider)
                writer.member("token", token)
            }
        }
    }
}

/// `auth.sign_out_everywhere`: ends every sign-in of the account, this one too.
///
/// Source: Protocol/spec/accounts.md, "auth.sign_out_everywhere".
public struct AuthSignOutEverywhere: FieldlessRequest {
    public typealias Response = Empty
    public static let type = "auth.sign_out_everywhere"
    public static let permission: Permission? = .accountManage

    public init() {}
}

/// `auth.change_password`: a new password; every other sign-in of the account ends.
///
/// Source: Protocol/spec/accounts.md, "auth.change_password".
public struct AuthChangePassword: WireRequest {
    public typealias Response = Grant
    public static let type = "auth.change_password"
    public static let permission: Permission? = .accountManage

    /// 8 to 128 Unicode scalar values.
    public var newPassword: String

    public init(newPassword: String) { self.newPassword = newPassword }

    /// - Throws: `auth.password_unusable` or `request.invalid`.
    public init(_ data: JSON) throws(WireError) {
        newPassword = try Fields(request: data).newPassword("new_password")
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { $0.member("new_password", newPassword) }
    }
}
