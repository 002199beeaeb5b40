package import SonaWire

/// Why something asked of a server did not come about.
///
/// Match on `kind`; show `description`, one sentence or two for a person.
package struct ClientError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        /// No connection came about.
        case unreachable
        /// The other side can't prove that it is the server.
        case untrusted
        /// The server answered with an error.
        case refused(WireError)
        /// The connection ended. `code` is the close code received, nil if it was cut.
        case closed(code: UInt16?, reason: String)
        /// The server said something that is not of this protocol.
        case protocolViolation
        /// No answer came in time.
        case timeout
        /// The tokens kept on this machine could not be read or written.
        case credentials(CredentialError)
    }

    package var kind: Kind
    package var description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    static func refused(_ error: WireError) -> ClientError {
        ClientError(.refused(error), "\(error.message) (\(error.code.text))")
    }

    static func closed(_ code: UInt16?, _ reason: String) -> ClientError {
        let because = reason.isEmpty ? "" : ": \(reason)"
        let how = code.map { "The server closed the connection with \($0)" } ?? "The connection to the server was lost"
        return ClientError(.closed(code: code, reason: reason), how + because + ".")
    }

    static func untrusted(_ address: ServerAddress, _ why: String) -> ClientError {
        ClientError(.untrusted, "\(address) cannot be trusted: \(why).")
    }

    static func violation(_ what: String) -> ClientError {
        ClientError(.protocolViolation, "The server does not speak \(Limits.subprotocol) properly: \(what)")
    }

    static func credentials(_ error: CredentialError) -> ClientError {
        ClientError(.credentials(error), error.description)
    }

    /// The code of the server's answer, if it was that.
    package var code: ErrorCode? {
        if case .refused(let error) = kind { error.code } else { nil }
    }

    /// Whether another attempt may succeed later without anybody changing anything.
    package var isTemporary: Bool {
        switch kind {
        case .unreachable, .timeout: true
        case .refused(let error): error.code.isRetryable
        case .closed(nil, _): true
        case .closed(let code?, _): CloseCode(rawValue: code)?.comeBack == .withBackoff
        case .untrusted, .protocolViolation, .credentials: false
        }
    }

    /// The exit code of a program that ends for this reason (README, "Exit codes"): 66 no such room, 69 not reached or
    /// refused, 74 and 78 unusable credentials, 75 try again later, 77 not allowed.
    package var exitCode: Int32 {
        switch kind {
        case .unreachable, .untrusted, .protocolViolation, .timeout: 69
        case .refused(let error): Self.exitCode(error.code)
        case .closed(let code, _): Self.exitCode(close: code)
        case .credentials(let error): error.exitCode
        }
    }

    private static func exitCode(_ code: ErrorCode) -> Int32 {
        if code.isRetryable { return 75 }
        switch code {
        case .roomNotFound, .roomClosed: return 66
        case .roomForbidden, .hostNotHost, .hostSeatTaken: return 77
        default: return code.text.hasPrefix("auth.") ? 77 : 69
        }
    }

    private static func exitCode(close code: UInt16?) -> Int32 {
        switch code.flatMap(CloseCode.init) {
        case .signInAgain, .removed: 77
        case .roomGone: 66
        case let known? where known.comeBack == .withBackoff: 75
        default: 69
        }
    }
}
