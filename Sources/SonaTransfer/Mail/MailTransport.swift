/// A way for mail to leave this machine: a mail server, or a program.
public protocol MailTransport: Sendable {
    /// Hands `mail` over, once, and returns when the other side has taken it.
    ///
    /// - Throws: An error whose `isTemporary` says whether to try again.
    func send(_ mail: Mail) async throws(TransferError)
}
