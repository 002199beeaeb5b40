extension Catalogue {
    /// Signing up, signing in, and the account itself.
    ///
    /// Source: Protocol/spec/accounts.md.
    static let accounts = Area(
        "accounts",
        requests: [
            AuthSignUp.self, AuthSignIn.self, AuthRefresh.self, AuthGuest.self, AuthSignOut.self, UserMe.self,
            AuthExchange.self, AuthReauthenticate.self, AuthSignOutEverywhere.self, AuthChangePassword.self,
            AuthRequestRecovery.self, AuthRecover.self, AuthRequestConfirmation.self, AuthConfirmEmail.self,
            AuthChangeEmail.self, AccountExport.self, AccountRemove.self,
        ])
}

extension Limits {
    /// The beginning of the paths that get the cookie with the refresh token.
    public static let cookiePath = "/v1/cookie"
    /// Bytes of an e-mail address.
    public static let emailBytes = 3...254
    /// In Unicode scalar values, and at most `passwordBytesMax` bytes.
    public static let passwordScalars = 8...128
    /// UTF-8 bytes of a password, whatever the number of its scalars.
    public static let passwordBytesMax = 512
    /// Bytes of an access token.
    public static let tokenBytes = 1...8_192
    /// Bytes of a refresh token.
    public static let refreshTokenBytes = 1...512
    /// Seconds since the last proof of identity within which sensitive requests are granted.
    public static let proofSecondsMax = 300
    /// Bytes of the name of an outside issuer.
    public static let providerBytes = 1...32
    /// Bytes of the token of an outside issuer.
    public static let providerTokenBytes = 1...8_192
    /// Bytes of a code that came by mail or with an export.
    public static let codeBytes = 1...128
    /// Seconds for which a mailed recovery code is good: an hour.
    public static let recoveryCodeSeconds = 3_600
    /// Seconds for which a mailed confirmation code is good: a day.
    public static let confirmationCodeSeconds = 86_400
    /// Seconds for which the code of an export can remove the account: an hour.
    public static let removalCodeSeconds = 3_600
    /// Mails with a recovery code per hour and account; further ones are silently not sent.
    public static let recoveryMailsPerHourMax = 3
}

// MARK: - Objects

/// A user as others see them.
///
/// Source: Protocol/spec/accounts.md, "User".
public struct User: DeclaredObject, Hashable {
    /// Names the user for ever, also after a change of username. 1 to 128 bytes.
    public var uid: UserID
    /// `nil` for guests and for accounts that have not chosen one.
    public var username: Username?
    /// Whether the user has no account.
    public var isGuest: Bool

    public init(uid: UserID, username: Username?, isGuest: Bool) {
        self.uid = uid
        self.username = username
        self.isGuest = isGuest
    }

    public static let declaration = Declaration(
        Member("uid", \Self.uid, .userID),
        Member(nullable: "username", \Self.username, .username),
        Member("guest", \Self.isGuest, .flag),
        make: Self.init)
}

// MARK: - Requests

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
public struct AccountExportResult: DeclaredObject, Equatable {
    /// An object for people and other programs to read; what is in it is not fixed.
    public var export: JSON
    /// 1 to 128 bytes; good for one `account.remove`.
    public var code: String
    /// Seconds for which `code` is good.
    public var codeExpiresInSeconds: Int

    public init(export: JSON, code: String, codeExpiresInSeconds: Int) {
        self.export = export
        self.code = code
        self.codeExpiresInSeconds = codeExpiresInSeconds
    }

    public static let declaration = Declaration(
        Member("export", \Self.export, .anyObject),
        Member("code", \Self.code, .code),
        Member("code_expires_in_s", \Self.codeExpiresInSeconds, .count),
        make: Self.init)
}

/// `account.remove`: erases the account. There is no way back.
///
/// Source: Protocol/spec/accounts.md, "account.remove".
public struct AccountRemove: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "account.remove"
    public static let permission: Permission? = .accountManage

    /// What becomes of the rooms of the account.
    public enum Rooms: String, CaseIterable, Sendable {
        /// They are erased with it.
        case erase
        /// Each passes to the cohost of longest standing who may own another room, and is erased if there is none.
        case cohosts
    }

    /// The code from an `account.export`, 1 to 128 bytes. Good once.
    public var code: String
    /// `nil`: as `erase`.
    public var rooms: Rooms?

    public init(code: String, rooms: Rooms? = nil) {
        self.code = code
        self.rooms = rooms
    }

    public static let declaration = Declaration(
        Member("code", \Self.code, .code),
        Member(optional: "rooms", \Self.rooms, .word),
        make: Self.init)
}

/// `auth.sign_up`: makes an account and signs the connection in. A guest who calls it becomes the account.
///
/// Source: Protocol/spec/accounts.md, "auth.sign_up".
public struct AuthSignUp: DeclaredRequest {
    public typealias Response = Grant
    public static let type = "auth.sign_up"

    /// 3 to 254 bytes, one `@` with something on both sides.
    public var email: String
    /// 8 to 128 Unicode scalar values.
    public var password: String
    /// The username the account is to have. Refused with `username.invalid` or `username.taken`.
    public var username: Username
    /// One line of 1 to 100 bytes.
    public var displayName: String?
    /// The account's first settings.
    public var locale: LocaleCode?
    /// Whether the user accepts the terms of the server.
    public var acceptsTerms: Bool?
    /// The code of a registration invite, 1 to 64 bytes.
    public var invite: String?
    /// What the administrators who approve accounts are to know; at most 1000 bytes.
    public var introduction: String?

    public init(
        email: String, password: String, username: Username, displayName: String? = nil, locale: LocaleCode? = nil,
        acceptsTerms: Bool? = nil, invite: String? = nil, introduction: String? = nil
    ) {
        self.email = email
        self.password = password
        self.username = username
        self.displayName = displayName
        self.locale = locale
        self.acceptsTerms = acceptsTerms
        self.invite = invite
        self.introduction = introduction
    }

    public static let declaration = Declaration(
        Member("email", \Self.email, .emailAddress),
        Member("password", \Self.password, .newPassword),
        Member("username", \Self.username, .newUsername),
        Member(optional: "display_name", \Self.displayName, .line(bytes: Limits.displayNameBytes)),
        Member(optional: "locale", \Self.locale, .word),
        Member(optional: "accepts_terms", \Self.acceptsTerms, .flag),
        Member(optional: "invite", \Self.invite, .text(bytes: Limits.registrationCodeBytes)),
        Member(optional: "introduction", \Self.introduction, .text(bytes: Limits.introductionBytes)),
        make: Self.init)
}

/// `auth.sign_in`: signs the connection in with a password.
///
/// Source: Protocol/spec/accounts.md, "auth.sign_in".
public struct AuthSignIn: DeclaredRequest {
    public typealias Response = Grant
    public static let type = "auth.sign_in"

    /// At most 254 bytes; not otherwise checked, so that only the credentials decide.
    public var email: String
    /// At most 512 bytes.
    public var password: String

    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }

    public static let declaration = Declaration(
        Member("email", \Self.email, .text(bytes: 0...Limits.emailBytes.upperBound)),
        Member("password", \Self.password, .text(bytes: 0...Limits.passwordBytesMax)),
        make: Self.init)
}

/// `auth.refresh`: trades a refresh token for new tokens and signs the connection in.
///
/// Source: Protocol/spec/accounts.md, "auth.refresh".
public struct AuthRefresh: DeclaredRequest {
    public typealias Response = Grant
    public static let type = "auth.refresh"

    /// 1 to 512 bytes.
    public var refreshToken: String

    public init(refreshToken: String) { self.refreshToken = refreshToken }

    public static let declaration = Declaration(
        Member("refresh_token", \Self.refreshToken, .refreshToken),
        make: Self.init)
}

/// `auth.guest`: makes the connection a guest's.
///
/// Source: Protocol/spec/accounts.md, "auth.guest".
public struct AuthGuest: FieldlessRequest {
    public typealias Response = AccessGrant
    public static let type = "auth.guest"

    public init() {}
}

/// `auth.sign_out`: makes the connection anonymous, and forgets a refresh token and its whole family.
///
/// Source: Protocol/spec/accounts.md, "auth.sign_out".
public struct AuthSignOut: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "auth.sign_out"

    /// A token of the family to forget, 1 to 512 bytes. `nil`: no family is named.
    public var refreshToken: String?

    public init(refreshToken: String? = nil) { self.refreshToken = refreshToken }

    public static let declaration = Declaration(
        Member(optional: "refresh_token", \Self.refreshToken, .refreshToken),
        make: Self.init)
}

/// `user.me`: what the server knows about the user of the connection.
///
/// Source: Protocol/spec/accounts.md, "user.me".
public struct UserMe: FieldlessRequest {
    public typealias Response = Me
    public static let type = "user.me"

    public init() {}
}

/// The tokens of somebody who has just signed in.
///
/// Source: Protocol/spec/accounts.md, "Grants".
public struct Grant: DeclaredObject, Equatable {
    /// The user the tokens are for.
    public var user: User
    /// 1 to 8192 bytes; presented in `hello` and as a bearer token.
    public var accessToken: String
    /// Seconds until the access token expires.
    public var expiresInSeconds: Int
    /// 1 to 512 bytes; good for one `auth.refresh`.
    public var refreshToken: String

    public init(user: User, accessToken: String, expiresInSeconds: Int, refreshToken: String) {
        self.user = user
        self.accessToken = accessToken
        self.expiresInSeconds = expiresInSeconds
        self.refreshToken = refreshToken
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member("access_token", \Self.accessToken, .accessToken),
        Member("expires_in_s", \Self.expiresInSeconds, .expiry),
        Member("refresh_token", \Self.refreshToken, .refreshToken),
        make: Self.init)
}

/// An access token alone: all there is of a guest, and what replaces an account's own when its name or proof changes.
///
/// Source: Protocol/spec/accounts.md, "Access grants".
public struct AccessGrant: DeclaredObject, Equatable {
    /// The user the token is for.
    public var user: User
    /// The token the connection authenticates with, 1 to 8192 bytes.
    public var accessToken: String
    /// Seconds until the access token expires.
    public var expiresInSeconds: Int

    public init(user: User, accessToken: String, expiresInSeconds: Int) {
        self.user = user
        self.accessToken = accessToken
        self.expiresInSeconds = expiresInSeconds
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member("access_token", \Self.accessToken, .accessToken),
        Member("expires_in_s", \Self.expiresInSeconds, .expiry),
        make: Self.init)
}

/// The answer to `user.me`.
///
/// Source: Protocol/spec/accounts.md, "user.me".
public struct Me: DeclaredObject, Equatable {
    /// The caller, as others see them.
    public var user: User
    /// `nil` for guests, and for accounts that have none.
    public var email: String?
    /// Whether the user has shown that mail to `email` reaches them.
    public var isEmailConfirmed: Bool
    /// `nil` for guests.
    public var role: AccountRole?
    /// The caller's own profile.
    public var profile: Profile
    /// `nil` for guests.
    public var settings: Settings?
    /// Names of the permissions the user has. They are texts because a newer server may name further ones. See
    /// `Permission`.
    public var permissions: [String]

    public init(
        user: User, email: String?, isEmailConfirmed: Bool = false, role: AccountRole? = nil, profile: Profile,
        settings: Settings? = nil, permissions: [String] = []
    ) {
        self.user = user
        self.email = email
        self.isEmailConfirmed = isEmailConfirmed
        self.role = role ?? (user.isGuest ? nil : .user)
        self.profile = profile
        self.settings = settings
        self.permissions = permissions
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member(nullable: "email", \Self.email, .text(bytes: Limits.emailBytes)),
        Member("email_confirmed", \Self.isEmailConfirmed, .flag, default: false),
        Member(nullable: "role", \Self.role, .word, isRequired: false),
        Member("profile", \Self.profile, .object),
        Member(nullable: "settings", \Self.settings, .object, isRequired: false),
        Member("permissions", \Self.permissions, .texts(bytes: Limits.permissionBytes), default: []),
        make: Self.init)
}

/// `auth.request_recovery`: has a code mailed to somebody who forgot their password.
///
/// The answer does not tell whether there is such an account.
///
/// Source: Protocol/spec/accounts.md, "auth.request_recovery".
public struct AuthRequestRecovery: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "auth.request_recovery"

    /// At most 254 bytes; not otherwise checked, as nothing about it is told.
    public var email: String

    public init(email: String) { self.email = email }

    public static let declaration = Declaration(
        Member("email", \Self.email, .text(bytes: 0...Limits.emailBytes.upperBound)),
        make: Self.init)
}

/// `auth.recover`: sets a new password with a code that was mailed, and signs the connection in.
///
/// Source: Protocol/spec/accounts.md, "auth.recover".
public struct AuthRecover: DeclaredRequest {
    public typealias Response = Grant
    public static let type = "auth.recover"

    /// 1 to 128 bytes.
    public var code: String
    /// 8 to 128 Unicode scalar values.
    public var newPassword: String

    public init(code: String, newPassword: String) {
        self.code = code
        self.newPassword = newPassword
    }

    public static let declaration = Declaration(
        Member("code", \Self.code, .code),
        Member("new_password", \Self.newPassword, .newPassword),
        make: Self.init)
}

/// `auth.request_confirmation`: has a code mailed to the account's address.
///
/// Source: Protocol/spec/accounts.md, "auth.request_confirmation".
public struct AuthRequestConfirmation: FieldlessRequest {
    public typealias Response = Empty
    public static let type = "auth.request_confirmation"
    public static let permission: Permission? = .accountManage

    public init() {}
}

/// `auth.confirm_email`: shows by a mailed code that mail to an address arrives.
///
/// Source: Protocol/spec/accounts.md, "auth.confirm_email".
public struct AuthConfirmEmail: CodeRequest {
    public typealias Response = Empty
    public static let type = "auth.confirm_email"

    /// The code from the mail, 1 to 128 bytes.
    public var code: String

    public init(code: String) { self.code = code }
}

/// `auth.change_email`: another address, from when it is confirmed.
///
/// Source: Protocol/spec/accounts.md, "auth.change_email".
public struct AuthChangeEmail: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "auth.change_email"
    public static let permission: Permission? = .accountManage

    /// 3 to 254 bytes, one `@` with something on both sides.
    public var email: String

    public init(email: String) { self.email = email }

    public static let declaration = Declaration(Member("email", \Self.email, .emailAddress), make: Self.init)
}

/// `auth.exchange`: signs the connection in with the token of an outside issuer.
///
/// Source: Protocol/spec/accounts.md, "auth.exchange".
public struct AuthExchange: DeclaredRequest {
    public typealias Response = Grant
    public static let type = "auth.exchange"

    /// 1 to 32 bytes; `firebase` so far.
    public var provider: String
    /// 1 to 8192 bytes.
    public var token: String
    /// As in `AuthSignUp`, for the first sign-in, which makes an account.
    public var invite: String?
    public var introduction: String?

    public init(provider: String, token: String, invite: String? = nil, introduction: String? = nil) {
        self.provider = provider
        self.token = token
        self.invite = invite
        self.introduction = introduction
    }

    public static let declaration = Declaration(
        Member("provider", \Self.provider, .text(bytes: Limits.providerBytes)),
        Member("token", \Self.token, .text(bytes: Limits.providerTokenBytes)),
        Member(optional: "invite", \Self.invite, .text(bytes: Limits.registrationCodeBytes)),
        Member(optional: "introduction", \Self.introduction, .text(bytes: Limits.introductionBytes)),
        make: Self.init)
}

/// `auth.reauthenticate`: proves again who the user is, for requests that need a proof of the last five minutes.
///
/// Source: Protocol/spec/accounts.md, "auth.reauthenticate".
public struct AuthReauthenticate: DeclaredRequest {
    public typealias Response = AccessGrant
    public static let type = "auth.reauthenticate"
    public static let permission: Permission? = .accountManage

    /// By which means the caller proves again who they are.
    public enum Proof: Equatable, Sendable {
        /// At most 512 bytes.
        case password(String)
        /// The provider's name, 1 to 32 bytes, and a fresh token of theirs, 1 to 8192 bytes.
        case provider(String, token: String)
    }

    /// The fresh proof of identity, either a password or a provider's token.
    public var proof: Proof

    public init(proof: Proof) { self.proof = proof }

    public static let declaration = Declaration(Member(\Self.proof, spread: .proof)) { Self(proof: $0) }
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
public struct AuthChangePassword: DeclaredRequest {
    public typealias Response = Grant
    public static let type = "auth.change_password"
    public static let permission: Permission? = .accountManage

    /// 8 to 128 Unicode scalar values.
    public var newPassword: String

    public init(newPassword: String) { self.newPassword = newPassword }

    public static let declaration = Declaration(
        Member("new_password", \Self.newPassword, .newPassword),
        make: Self.init)
}

// MARK: - Forms

extension Spread where Value == AuthReauthenticate.Proof {
    fileprivate static var proof: Spread {
        Spread(
            read: { fields throws(WireError) in
                let password = try fields.stringIfPresent("password", bytes: 0...Limits.passwordBytesMax)
                let provider = try fields.stringIfPresent("provider", bytes: Limits.providerBytes)
                let token = try fields.stringIfPresent("token", bytes: Limits.providerTokenBytes)
                switch (password, provider, token) {
                case (let password?, nil, nil): return .password(password)
                case (nil, let provider?, let token?): return .provider(provider, token: token)
                default:
                    throw WireError(
                        .requestInvalid, "data holds either a password or a provider with a token.", field: "data")
                }
            },
            write: { proof, writer in
                switch proof {
                case .password(let password): writer.member("password", password)
                case .provider(let provider, let token):
                    writer.member("provider", provider)
                    writer.member("token", token)
                }
            }, properties: [],
            keywords: [
                .oneOf([
                    .object([
                        .init("password", .string(bytes: 0...Limits.passwordBytesMax), isRequired: true),
                        .init("provider", .null, isRequired: false), .init("token", .null, isRequired: false),
                    ]),
                    .object([
                        .init("password", .null, isRequired: false),
                        .init("provider", .string(bytes: Limits.providerBytes), isRequired: true),
                        .init("token", .string(bytes: Limits.providerTokenBytes), isRequired: true),
                    ]),
                ])
            ])
    }
}
