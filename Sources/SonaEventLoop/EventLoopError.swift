internal import Glibc

/// A refusal by the operating system or libwebsockets, in words for the person who started the program.
public struct EventLoopError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// The address could not be understood or does not belong to this machine.
        case badAddress
        /// Somebody listens there already.
        case addressInUse
        /// The operating system wants more rights for it (ports below 1024).
        case notPermitted
        /// A certificate, its key or a list of trusted certificates can't be used.
        case badCertificate
        /// The other side could not be reached.
        case unreachable
        /// The other side answered, but did not grant the request.
        case refused
        /// The other side could not prove who it is.
        case untrusted
        /// The connection ended before its time.
        case closed
        /// Any other refusal of the operating system or libwebsockets; `errno` has its number if there is one.
        case system
    }

    /// The kind of failure, open to pattern matching.
    public var code: Code
    /// One sentence, without a full stop.
    public var detail: String
    /// The `errno` of the cause; 0 where there is none.
    public var errno: Int32

    /// `detail`, as it is.
    public var description: String { detail }

    /// - Parameters:
    ///   - detail: One sentence, without a full stop.
    ///   - errno: The operating system's number; 0 where there is none.
    public init(_ code: Code, _ detail: String, errno: Int32 = 0) {
        self.code = code
        self.detail = detail
        self.errno = errno
    }

    static func system(_ attempt: String, _ number: Int32) -> EventLoopError {
        let code: Code =
            switch number {
            case EADDRINUSE: .addressInUse
            case EADDRNOTAVAIL: .badAddress
            case EACCES, EPERM: .notPermitted
            default: .system
            }
        return EventLoopError(code, "\(attempt): \(String(cString: strerror(number)))", errno: number)
    }
}
