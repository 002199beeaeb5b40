internal import CCurl

/// Sends mail through a mail server by SMTP, each mail over a connection of its own.
///
/// On threads of this module's; two mails go side by side and some wait. A server that answers QUIT late does not hold
/// up a mail that it has taken.
///
/// Source: RFC 5321 (SMTP), RFC 3207 (STARTTLS), RFC 4954 (AUTH), RFC 8314 (TLS from the start).
public struct Mailer: MailTransport {
    private let server: SMTPServer
    private let limits: TransferLimits
    /// A PEM file of certificates to trust beside the system's, for tests.
    private let authorities: String?

    /// - Parameter limits: `bodyBytesMax` is of no meaning here. Servers that examine mail may take a minute to accept it.
    public init(_ server: SMTPServer, limits: TransferLimits = TransferLimits(total: .seconds(60))) {
        self.init(server, limits: limits, authorities: nil)
    }

    init(_ server: SMTPServer, limits: TransferLimits, authorities: String?) {
        self.server = server
        self.limits = limits
        self.authorities = authorities
    }

    /// Sends `mail`; returns when the server has answered 250 to its text.
    ///
    /// - Throws: `refused` with the server's `reply`, temporary if that is 4xx, and `busy`, `cancelled`, `timedOut`,
    ///   `unreachable`, `nobodyListens`, `insecure`, `brokenAnswer`, `system`. After `timedOut`, `cancelled` and
    ///   `brokenAnswer` the mail may have been taken all the same.
    public func send(_ mail: Mail) async throws(TransferError) {
        let message = MailMessage(mail).bytes(lineEnd: "\r\n")
        try await TransferWorkers.mails.run(within: limits.total) { control throws(TransferError) in
            // libcurl hands over next to nothing of the server's answers.
            let flow = TransferFlow(control: control, upload: message, bodyBytesMax: 65_536)
            let transfer = try CurlTransfer(flow, protocols: "smtp,smtps", limits: limits, control: control)
            try set(transfer, mail, messageBytes: message.count)
            let result = try transfer.perform()
            guard result == CURLE_OK else { throw error(result, transfer) }
        }
    }

    private func set(_ transfer: CurlTransfer, _ mail: Mail, messageBytes: Int) throws(TransferError) {
        try transfer.set(CURLOPT_URL, server.url.text)
        try transfer.set(CURLOPT_USE_SSL, Int(useTLS.rawValue))
        if let authorities { try transfer.set(CURLOPT_CAINFO, authorities) }
        if let user = server.user {
            try transfer.set(CURLOPT_USERNAME, user)
            try transfer.set(CURLOPT_PASSWORD, server.password)
        }
        try transfer.set(CURLOPT_MAIL_FROM, "<\(mail.from.text)>")
        try transfer.set(CURLOPT_MAIL_RCPT, ["<\(mail.to.text)>"])
        try transfer.set(CURLOPT_UPLOAD, 1)
        try transfer.set(CURLOPT_INFILESIZE, messageBytes)
    }

    private var useTLS: curl_usessl {
        switch server.startTLS {
        case .required: CURLUSESSL_ALL
        case .ifOffered: CURLUSESSL_TRY
        case .never: CURLUSESSL_NONE
        }
    }

    /// The server's number decides where there is one of refusal; libcurl has several codes for each.
    private func error(_ result: CURLcode, _ transfer: CurlTransfer) -> TransferError {
        let reply = transfer.number(CURLINFO_RESPONSE_CODE)
        let host = server.url.host
        switch result {
        case CURLE_LOGIN_DENIED where reply < 400:
            return TransferError(.refused, "\(host) and we share no way to sign in", reply: reply)
        case CURLE_LOGIN_DENIED:
            return TransferError(
                .refused, "\(host) does not accept the user and the password (\(reply))", isTemporary: reply < 500,
                reply: reply)
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_WEIRD_SERVER_REPLY, CURLE_REMOTE_ACCESS_DENIED:
            guard 400...599 ~= reply else { return TransferError(result, with: host, transfer) }
            return TransferError(
                .refused, "\(host) does not take the mail (\(reply))", isTemporary: reply < 500, reply: reply)
        default:
            return TransferError(result, with: host, transfer)
        }
    }
}
