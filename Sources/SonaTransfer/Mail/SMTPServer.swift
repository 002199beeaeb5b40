/// A mail server that takes our mail, and how we present ourselves.
public struct SMTPServer: Sendable {
    /// Whether a connection that begins in the clear becomes TLS. Of no meaning for `smtps://`, which begins with TLS.
    public enum StartTLS: Sendable, Equatable {
        /// No TLS, no mail. The right one for every server beyond this machine.
        case required
        /// An attacker on the network can suppress the server's offer, and then reads the password and the mail.
        case ifOffered
        /// The connection stays in the clear, even if the server offers TLS.
        case never
    }

    let url: TransferURL
    let user: String?
    let password: String
    let startTLS: StartTLS

    /// - Parameters:
    ///   - url: `smtp://host:port` or `smtps://host:port`; without a port 25 or 465.
    ///   - user: `nil` for a server that asks nobody who he is. To a server that offers no way to sign in the mail goes
    ///     without; those that want one then refuse it.
    ///   - clientName: The name to give in EHLO; by default the name of this machine. Some servers want a full
    ///     one, with dots.
    /// - Throws: `badInput`.
    public init(
        url: String, user: String? = nil, password: String = "", startTLS: StartTLS = .required,
        clientName: String? = nil
    ) throws(TransferError) {
        self.url = try TransferURL(mailServer: url, clientName: clientName)
        let isUsable = { (text: String) in !text.utf8.contains { $0 < 32 || $0 == 127 } }
        guard user?.isEmpty != true, isUsable(user ?? ""), isUsable(password) else {
            throw TransferError(.badInput, "The user or the password for the mail server holds a control character")
        }
        self.user = user
        self.password = password
        self.startTLS = startTLS
    }
}

/// Leaves out the user and the password.
extension SMTPServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Scheme and host, without the user and the password.
    public var description: String { "\(url.scheme)://\(url.host)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` prints no password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
