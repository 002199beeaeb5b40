internal import ArgumentParser
internal import SonaBase

/// The sources of a password: an option, a file, SONA_PASSWORD, or the person at the terminal.
struct PasswordOptions: ParsableArguments {
    @Option(help: "The password. Others may see it in the list of processes; better use one of the other ways.")
    var password: String?

    @Option(
        help: ArgumentHelp(
            "File whose first line is the password, - for standard input. (default: SONA_PASSWORD, or asked)",
            valueName: "file"))
    var passwordFile: String?

    func validate() throws {
        if password != nil, passwordFile != nil {
            throw ValidationError("Use either --password or --password-file.")
        }
    }

    /// - Parameters:
    ///   - isNew: Whether to ask twice, for a password that nobody has checked yet.
    ///   - question: The prompt on a terminal.
    func read(isNew: Bool, question: String = "Password: ") throws -> String {
        try PasswordSource(
            option: password, file: passwordFile, variable: "SONA_PASSWORD", question: question,
            ways: "--password-file or SONA_PASSWORD"
        ).read(isNew: isNew)
    }
}

/// The password to have from now on, where the one of now may be asked for, too.
struct NewPasswordOptions: ParsableArguments {
    @Option(help: "The new password. Others may see it in the list of processes; better use one of the other ways.")
    var newPassword: String?

    @Option(
        help: ArgumentHelp(
            "File whose first line is the new password, - for standard input. (default: SONA_NEW_PASSWORD, or asked)",
            valueName: "file"))
    var newPasswordFile: String?

    func validate() throws {
        if newPassword != nil, newPasswordFile != nil {
            throw ValidationError("Use either --new-password or --new-password-file.")
        }
    }

    func read() throws -> String {
        try PasswordSource(
            option: newPassword, file: newPasswordFile, variable: "SONA_NEW_PASSWORD", question: "New password: ",
            ways: "--new-password-file or SONA_NEW_PASSWORD"
        ).read(isNew: true)
    }
}

/// The places a password may be, the first that has one counting.
private struct PasswordSource {
    var option: String?
    var file: String?
    /// Name of the variable of the environment.
    var variable: String
    var question: String
    /// The options that replace a terminal.
    var ways: String

    func read(isNew: Bool) throws -> String {
        if let option { return option }
        if let file { return try SecretLine.read(file, of: "a password") }
        if let password = Environment[variable] { return password }
        guard let terminal = Terminal() else {
            throw Failure(64, "There is no terminal to ask for a password; use \(ways).")
        }
        let password = try terminal.askSecretly(question)
        if isNew, try terminal.askSecretly("Again: ") != password { throw Failure(64, "The two passwords differ.") }
        return password
    }
}
