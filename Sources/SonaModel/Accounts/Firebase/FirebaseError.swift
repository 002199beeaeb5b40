/// The reason why a Firebase ID token is refused. No part of the token is in it.
package enum FirebaseError: Error, Sendable, Equatable {
    /// Not a token of this project, not signed with a current key, or with claims that Firebase does not write.
    case tokenInvalid
    /// The token is correct but has expired.
    case tokenExpired
    /// The signing keys are missing or too old. Trying again later may help.
    case keysUnavailable
}

/// The reason why a key document was not used. For logs; which keys are used meanwhile is documented at `FirebaseKeys`.
package enum FirebaseKeyError: Error, Sendable, Equatable {
    /// The key file could not be read; `operation` is the call that failed.
    case unreadable(operation: String, errno: Int32)
    /// More than 256 KiB or more than 100 keys.
    case tooLarge
    /// Neither a JWK set nor an object of certificates, or a document with an unusable RSA key.
    case malformed
}
