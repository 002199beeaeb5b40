package import SonaWire

/// The user of a Firebase ID token, as Firebase describes them. Times are seconds since 1970.
package struct FirebaseIdentity: Sendable, Equatable {
    /// `sub`.
    package var uid: UserID
    /// The address as written in the token. Its form is not checked, and the user need not own it.
    package var email: String?
    /// Whether Firebase has confirmed that the user reads mail at `email`. Without that, `email` proves nothing.
    package var isEmailVerified: Bool
    /// `name` as written in the token: any length, not empty.
    package var displayName: String?
    /// How the user signed in at Firebase: `password`, `google.com`, `anonymous`…
    package var signInProvider: String?
    /// `auth_time`, when the user last proved their identity. `iat` if the token has no `auth_time`.
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
