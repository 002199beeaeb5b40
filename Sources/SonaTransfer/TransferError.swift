/// Why something was not fetched or sent, in words for the operator.
///
/// `detail` names hosts, sockets and programs, as they stand in the configuration. It never holds a password, a mail
/// address, a query of a URL or words of the other side, which could quote them.
public struct TransferError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds that code tells apart. More may come: switch with a default.
    public enum Code: Sendable, Equatable {
        /// The caller gave something that cannot be sent: a URL, an address, a header with a line break.
        case badInput
        /// Too much waits already.
        case busy
        /// The task was cancelled.
        case cancelled
        /// The queue was closed.
        case closed
        /// The whole, or connecting, took longer than allowed.
        case timedOut
        /// The host has no address, or no way leads there.
        case unreachable
        /// The way is there and nobody listens at its end: ECONNREFUSED, or ENOENT for a socket in the file system.
        case nobodyListens
        /// The host is in a network of its own, to which this transfer must not go.
        case forbiddenAddress
        /// No TLS where TLS is wanted, or a certificate that nobody vouches for.
        case insecure
        /// More bytes than the limit.
        case tooLarge
        /// One redirect too many, or one to where we do not go.
        case badRedirect
        /// The other side closed early or does not speak the protocol.
        case brokenAnswer
        /// The mail server or the mail program said no; `reply` says how.
        case refused
        /// Something of this machine: no memory, no thread, no such program.
        case system
    }

    /// The kind of failure, open to pattern matching.
    public let code: Code
    /// One sentence, without a full stop.
    public let detail: String
    /// Whether the same may succeed a little later.
    public let isTemporary: Bool
    /// The SMTP reply code or the exit status of the mail program; 0 where there is none.
    public let reply: Int
    /// The `errno` of the cause; 0 where there is none.
    public let errno: Int32

    /// `detail`, as it is.
    public var description: String { detail }

    /// - Parameter detail: One sentence, without a full stop.
    public init(_ code: Code, _ detail: String, isTemporary: Bool = false, reply: Int = 0, errno: Int32 = 0) {
        self.code = code
        self.detail = detail
        self.isTemporary = isTemporary
        self.reply = reply
        self.errno = errno
    }

    static let cancelled = TransferError(.cancelled, "The transfer was cancelled")
    static let forbiddenAddress = TransferError(
        .forbiddenAddress, "The address is of this machine or of a private network")
    static let timedOut = TransferError(.timedOut, "The transfer took longer than allowed", isTemporary: true)
}
