/// Sends mail through a program with the manners of `sendmail`: Postfix, Exim, OpenSMTPD and msmtp bring one.
///
/// The program gets the message on its standard input and finds the recipient in it. It is started directly, without a
/// shell, in a process group of its own, and sees of the environment only `PATH`, `HOME`, `USER`, `LOGNAME`, `LANG`
/// and `TZ`. What it prints is thrown away, since it quotes addresses; it has a log of its own.
public struct SendmailCommand: MailTransport {
    private let path: String
    private let arguments: [String]
    private let timeout: Duration

    /// - Parameters:
    ///   - path: Absolute.
    ///   - arguments: `-t` is "recipients from the header", `-i` is "a dot alone does not end the text".
    /// - Throws: `badInput` for a path that is not absolute, and for a NUL.
    public init(
        path: String = "/usr/sbin/sendmail", arguments: [String] = ["-t", "-i"], timeout: Duration = .seconds(60)
    ) throws(TransferError) {
        guard path.utf8.first == UInt8(ascii: "/"), ([path] + arguments).allSatisfy({ !$0.utf8.contains(0) }) else {
            throw TransferError(.badInput, "The mail program is named by its whole path, without a NUL")
        }
        self.path = path
        self.arguments = arguments
        self.timeout = timeout
    }

    /// Hands `mail` to the program; returns when that has ended well.
    ///
    /// - Throws: `refused` with the exit status in `reply`, temporary for those of `temporaryStatuses` and for a
    ///   program that was killed; `system` if it cannot be started; `busy`, `cancelled`, `timedOut`.
    public func send(_ mail: Mail) async throws(TransferError) {
        let message = MailMessage(mail).bytes(lineEnd: "\n")
        try await TransferWorkers.mails.run(within: timeout) { control throws(TransferError) in
            let process = try MailProcess(path, arguments)
            switch try process.finish(reading: message, control) {
            case .ended(0, tookAll: true): return
            case .ended(0, tookAll: false):
                throw TransferError(.refused, "\(path) ended before it had read the mail")
            case .ended(let status, _):
                throw TransferError(
                    .refused, "\(path) ended with status \(status)",
                    isTemporary: Self.temporaryStatuses.contains(status), reply: status)
            case .killed(let signal):
                throw TransferError(.refused, "\(path) was ended by signal \(signal)", isTemporary: true)
            }
        }
    }

    /// EX_OSERR (no process, no memory), EX_IOERR, EX_TEMPFAIL. Source: sysexits(3head).
    static let temporaryStatuses: Set<Int> = [71, 74, 75]
}
