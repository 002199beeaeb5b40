/// Why a WebSocket connection was closed, and with that whether to come back.
///
/// Source: Protocol/spec/errors.md, "Close codes"; RFC 6455, section 7.4.
public enum CloseCode: UInt16, Sendable, CaseIterable {
    /// Nothing is left to say.
    case done = 1000
    /// The server stops, or the page is left.
    case goingAway = 1001
    /// A frame against RFC 6455.
    case framing = 1002
    /// A text message that is not UTF-8.
    case notUTF8 = 1007
    /// A message beyond the limit of its kind.
    case tooLarge = 1009
    /// The server starts again.
    case restart = 1012
    /// The twentieth malformed message in a minute.
    case malformed = 4400
    /// The token was revoked: by signing out elsewhere, or by a new password.
    case signInAgain = 4401
    /// The user was banned, or their account has been removed.
    case removed = 4403
    /// The room this connection was for is gone.
    case roomGone = 4404
    /// Reads audio 5 s late, sent no `hello` within 10 s, or no pong within 40 s.
    case tooSlow = 4408
    /// The same session was taken up by another connection.
    case superseded = 4409
    /// Another version of the protocol, or no known subprotocol.
    case versionUnsupported = 4426
    /// Far too many messages.
    case flood = 4429

    /// Whether a client comes back by itself after a close, and how.
    public enum Return: Sendable {
        /// Connect again after a growing, random delay.
        case withBackoff
        /// Connect again with another token.
        case afterSignIn
        /// Stay away until a person asks.
        case never
    }

    /// Whether a client comes back by itself after a close with this code, and how.
    public var comeBack: Return {
        switch self {
        case .goingAway, .restart, .tooSlow, .flood: .withBackoff
        case .signInAgain: .afterSignIn
        case .done, .framing, .notUTF8, .tooLarge, .malformed, .removed, .roomGone, .superseded,
            .versionUnsupported:
            .never
        }
    }

    /// Whether a client may connect again by itself, at once or after signing in.
    public var mayReturn: Bool { comeBack != .never }
}
