internal import Glibc

/// What the operating system or libwebsockets refused, in words for the person who started the program.
public struct EventLoopError: Error, Sendable, CustomStringConvertible {
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
        /// The other side answered, but not with what was asked for.
        case refused
        /// The other side could not prove who it is.
        case untrusted
        /// The connection ended before its time.
        case closed
        case system
    }

    public var code: Code
    /// One sentence, without a full stop.
    public var detail: String
    /// The operating system's number behind it, 0 where there is none.
    public var errno: Int32

    public var description: String { detail }

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
