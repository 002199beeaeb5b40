internal import SonaModel
internal import SonaTransfer
internal import SonaWire

/// Writes the mails of accounts and sends them.
final class AccountMailer: Sendable {
    private let queue: MailQueue
    private let from: MailAddress
    private let live: LiveConfiguration
    private let log: @Sendable (String) -> Void

    /// - Parameter log: Told in a sentence why a mail could not be sent, without any of its content.
    init(
        _ configured: MailConfiguration, live: LiveConfiguration, log: @escaping @Sendable (String) -> Void
    ) throws(ServerError) {
        do throws(TransferError) {
            from = try MailAddress(configured.from ?? "")
            let transport: any MailTransport
            if let path = configured.sendmailPath {
                transport = try SendmailCommand(path: path)
            } else {
                transport = Mailer(
                    try SMTPServer(
                        url: configured.smtpAddress ?? "", user: configured.smtpUser,
                        password: configured.smtpPassword ?? "", startTLS: configured.startTLS))
            }
            queue = MailQueue(transport) { event in log("Mail: \(event).") }
        } catch {
            throw .configuration("Mail can't be sent: \(error)")
        }
        self.live = live
        self.log = log
    }

    /// Any thread; returns at once.
    func send(_ mail: AccountMail) {
        let configuration = live.configuration
        let letter = AccountLetter(
            mail, AccountLinks(publicAddress: configuration.publicAddress), server: configuration.profile.title)
        do throws(TransferError) {
            try queue.submit(
                Mail(
                    from: from, fromName: configuration.profile.title, to: MailAddress(mail.to),
                    subject: letter.subject,
                    text: letter.text))
        } catch {
            log("A mail was not sent: \(error).")
        }
    }

    func close() async { await queue.close(grace: .seconds(2)) }
}

extension MailConfiguration {
    fileprivate var startTLS: SMTPServer.StartTLS {
        let isHere = ["127.0.0.1", "localhost", "[::1]"].contains { smtpAddress?.hasPrefix("smtp://\($0)") == true }
        return switch encryption ?? (isHere ? .offered : .required) {
        case .required: .required
        case .offered: .ifOffered
        case .never: .never
        }
    }
}
