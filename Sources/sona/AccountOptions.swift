import ArgumentParser
import SonaBase
import SonaServer
import SonaTransfer

/// Options for outgoing mail and for outside issuers of identities.
struct AccountOptions: ParsableArguments {
    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp("The beginning of links in mails.", valueName: "https://HOST"))
    var publicURL: String?

    @Option(
        name: .customLong("policy-url"),
        help: ArgumentHelp("The page with this server's terms and privacy notice.", valueName: "https://PAGE"))
    var policyURL: String?

    @Option(help: ArgumentHelp("Send mail through this server.", valueName: "smtp[s]://HOST:PORT"))
    var smtp: String?

    @Option(help: "The user at the mail server; the password is read from SONA_SMTP_PASSWORD.")
    var smtpUser: String?

    @Option(
        help:
            "Whether smtp:// becomes TLS: required, offered or never. (default: required; offered for a server on this machine)"
    )
    var smtpTLS: SMTPEncryption?

    @Option(help: ArgumentHelp("Send mail through this program instead, called like sendmail.", valueName: "path"))
    var sendmail: String?

    @Option(help: ArgumentHelp("The sender of mails.", valueName: "address"))
    var mailFrom: String?

    @Option(help: ArgumentHelp("Let this Firebase project's users sign in.", valueName: "project"))
    var firebaseProject: String?

    @Option(help: ArgumentHelp("The project's keys, in place of Google's.", valueName: "file or URL"))
    var firebaseKeys: String?

    enum SMTPEncryption: String, ExpressibleByArgument, CaseIterable {
        case required, offered, never
    }

    func validate() throws {
        if smtp != nil, sendmail != nil {
            throw ValidationError("Mail leaves by --smtp or by --sendmail, not by both.")
        }
        if (smtp ?? sendmail) != nil, mailFrom == nil { throw ValidationError("Mail needs a sender: --mail-from.") }
        if mailFrom != nil, (smtp ?? sendmail) == nil {
            throw ValidationError("--mail-from needs --smtp or --sendmail.")
        }
        if firebaseKeys != nil, firebaseProject == nil {
            throw ValidationError("--firebase-keys needs --firebase-project.")
        }
        for address in [publicURL, policyURL].compactMap({ $0 })
        where !address.hasPrefix("https://") && !address.hasPrefix("http://") {
            throw ValidationError("\"\(address)\" must begin with https:// or http://.")
        }
    }

    var mail: MailConfiguration? {
        guard let mailFrom else { return nil }
        if let sendmail { return MailConfiguration(.command(path: sendmail), from: mailFrom) }
        guard let smtp else { return nil }
        let isHere = ["127.0.0.1", "localhost", "[::1]"].contains { smtp.hasPrefix("smtp://\($0)") }
        let startTLS: SMTPServer.StartTLS =
            switch smtpTLS ?? (isHere ? .offered : .required) {
            case .required: .required
            case .offered: .ifOffered
            case .never: .never
            }
        return MailConfiguration(
            .smtp(
                url: smtp, user: smtpUser, password: Environment["SONA_SMTP_PASSWORD"] ?? "", startTLS: startTLS),
            from: mailFrom)
    }

    var firebase: FirebaseConfiguration? {
        firebaseProject.map { FirebaseConfiguration(project: $0, keys: firebaseKeys) }
    }
}
