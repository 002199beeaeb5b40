/// Why a Firebase ID token signs nobody in. Nothing of the token is in it.
package enum FirebaseError: Error, Sendable, Equatable {
    /// Not a token of this project signed with a current key, or claims that are not what Firebase writes.
    case tokenInvalid
    /// Everything about it is right but its time is over.
    case tokenExpired
    /// The keys to check it with are not there, or too old. Worth trying again later.
    case keysUnavailable
}

/// Why a key document was not used. For logs: what is served meanwhile follows `FirebaseKeys`.
package enum FirebaseKeyError: Error, Sendable, Equatable {
    /// The key file could not be read; `operation` is the call that failed.
    case unreadable(operation: String, errno: Int32)
    /// More than 256 KiB or more than 100 keys.
    case tooLarge
    /// Neither a JWK set nor an object of certificates, or with an RSA key that cannot be used.
    case malformed
}
