internal import SonaModel
internal import SonaTransfer

/// Writes the mails of accounts and sends them.
final class AccountMailer: Sendable {
    private let queue: MailQueue
    private let from: MailAddress
    private let links: AccountLinks
    private let log: @Sendable (String) -> Void

    /// - Parameter log: Told in a sentence why a mail could not be sent, without any of its content.
    init(
        _ configured: MailConfiguration, publicAddress: String?, log: @escaping @Sendable (String) -> Void
    ) throws(ServerError) {
        do throws(TransferError) {
            from = try MailAddress(configured.from)
            let transport: any MailTransport
            switch configured.way {
            case .smtp(let url, let user, let password, let startTLS):
                transport = Mailer(try SMTPServer(url: url, user: user, password: password, startTLS: startTLS))
            case .command(let path): transport = try SendmailCommand(path: path)
            }
            queue = MailQueue(transport) { event in log("Mail: \(event).") }
        } catch {
            throw .configuration("Mail can't be sent: \(error)")
        }
        links = AccountLinks(publicAddress: publicAddress)
        self.log = log
    }

    /// Any thread; returns at once.
    func send(_ mail: AccountMail) {
        let letter = AccountLetter(mail, links)
        do throws(TransferError) {
            try queue.submit(
                Mail(
                    from: from, fromName: "Sona", to: MailAddress(mail.to), subject: letter.subject,
                    text: letter.text))
        } catch {
            log("A mail was not sent: \(error).")
        }
    }

    func close() async { await queue.close(grace: .seconds(2)) }
}
