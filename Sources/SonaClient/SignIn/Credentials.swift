package import SonaWire

/// The secrets that a signed-in user, or a guest, keeps between two runs of a program.
package struct Credentials: Sendable, Equatable {
    package var user: User
    package var accessToken: String
    /// When the access token stops being good, ms since 1970.
    package var expiresMilliseconds: Int64
    /// nil for guests, who live no longer than their access token.
    package var refreshToken: String?

    package init(user: User, accessToken: String, expiresMilliseconds: Int64, refreshToken: String?) {
        self.user = user
        self.accessToken = accessToken
        self.expiresMilliseconds = expiresMilliseconds
        self.refreshToken = refreshToken
    }

    /// - Parameter now: Wall time at which the grant arrived, ms since 1970.
    package init(_ grant: Grant, now: Int64) {
        self.init(
            user: grant.user, accessToken: grant.accessToken,
            expiresMilliseconds: Self.end(grant.expiresInSeconds, now), refreshToken: grant.refreshToken)
    }

    /// - Parameters:
    ///   - refreshToken: The one that stays good beside the new access token; nil for a guest.
    ///   - now: Wall time at which the grant arrived, ms since 1970.
    package init(_ grant: AccessGrant, refreshToken: String?, now: Int64) {
        self.init(
            user: grant.user, accessToken: grant.accessToken,
            expiresMilliseconds: Self.end(grant.expiresInSeconds, now), refreshToken: refreshToken)
    }

    private static func end(_ seconds: Int, _ now: Int64) -> Int64 {
        let lifetime = Int64(clamping: seconds).multipliedReportingOverflow(by: 1000)
        let end = now.addingReportingOverflow(lifetime.overflow ? .max : lifetime.partialValue)
        return end.overflow ? .max : end.partialValue
    }
}
