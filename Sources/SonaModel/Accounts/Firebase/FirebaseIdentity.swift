package import SonaWire

/// Whom a Firebase ID token is about, as Firebase knows them. Times are seconds since 1970.
package struct FirebaseIdentity: Sendable, Equatable {
    /// `sub`.
    package var uid: UserID
    /// As it stands in the token: not checked for its form, and whoever signed up with it need not own it.
    package var email: String?
    /// Firebase has seen the owner of the address. Only this makes `email` a proof of anything.
    package var isEmailVerified: Bool
    /// `name` as it stands in the token, of any length but not empty.
    package var displayName: String?
    /// How they signed in at Firebase: `password`, `google.com`, `anonymous`…
    package var signInProvider: String?
    /// `auth_time`, when they last proved who they are; `iat` if the token does not say.
    package var authenticatedAt: Int64
    /// `exp`.
    package var expiresAt: Int64

    package init(
        uid: UserID, email: String? = nil, isEmailVerified: Bool = false, displayName: String? = nil,
        signInProvider: String? = nil, authenticatedAt: Int64, expiresAt: Int64
    ) {
        self.uid = uid
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.displayName = displayName
        self.signInProvider = signInProvider
        self.authenticatedAt = authenticatedAt
        self.expiresAt = expiresAt
    }
}
