import ArgumentParser
import Glibc
import SonaBase
import SonaConfiguration
import SonaServer
import SonaWire

/// Options shared by the operator's commands: the way to the accounts, and the form of answers.
struct OperatorOptions: ParsableArguments {
    @OptionGroup var file: ConfigurationFileOption

    @Option(help: ArgumentHelp("The server's data folder. (default: as `sona serve` has it)", valueName: "folder"))
    var data: String?

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp("The beginning of links, if no server runs.", valueName: "https://HOST"))
    var publicURL: String?

    @Flag(help: "Print JSON, one object to a line.") var json = false

    /// Folder and address, from these flags, the environment or the file. Faults of other keys do not keep an operator
    /// from working.
    ///
    /// - Throws: `OperatorFailure`.
    private func resolve() throws(OperatorFailure) -> ServerConfiguration {
        try ServerConfiguration.resolve(file, flags: ["data": data, "public-url": publicURL])
    }

    /// - Throws: `OperatorFailure`.
    func ask<Request: WireRequest>(_ request: Request) async throws -> Request.Response {
        let configuration = try resolve()
        let door = OperatorDoor(dataFolder: configuration.dataFolder, publicAddress: configuration.publicAddress) {
            ConsoleLine.write(to: 2, "sona: \($0)")
        }
        // A folder is made for the first account alone: any other command on a missing one is a slip of the pen.
        if Request.self != OperatorCreateUser.self, !door.hasFolder {
            throw OperatorFailure(66, "There is no data folder \(configuration.dataFolder).")
        }
        do throws(OperatorDoor.Failure) { return try await door.call(request) } catch { throw OperatorFailure(error) }
    }

    func write(_ object: some WireObject) {
        ConsoleLine.write(to: 1, String(decoding: object.encoded(), as: UTF8.self))
    }

    func show(_ user: AdminUser) {
        if json { return write(user) }
        var line =
            "\(user.user.username.map { "@\($0.rawValue)" } ?? "(no username)")  \(user.user.uid)  \(user.role.rawValue)"
        if let ban = user.ban {
            line += ban.untilMilliseconds.map { "  banned until \(UTC.text(milliseconds: $0))" } ?? "  banned"
        }
        ConsoleLine.write(to: 1, line)
    }

    func show(_ link: OperatorLink) {
        if json { write(link) } else { ConsoleLine.write(to: 1, link.link ?? link.code) }
    }
}

extension ServerConfiguration {
    /// What an operator's command needs of the configuration.
    ///
    /// - Parameter flags: Values of the command's own flags, by the names of keys. Faults of other keys do not matter.
    /// - Throws: `OperatorFailure`.
    static func resolve(
        _ file: ConfigurationFileOption, flags: [String: String?]
    ) throws(OperatorFailure) -> ServerConfiguration {
        var sources = ConfigurationSources.process()
        sources.flags = flags.compactMapValues { $0.map { [$0] } }
        sources.file = try file.read()
        var resolved = ServerConfiguration.resolve(sources)
        resolved.faults.removeAll { fault in !flags.keys.contains { $0 == fault.key } }
        return try resolved.usable()
    }
}

/// The source of a new password: a file, the environment, or the terminal. It is never the command line, which everybody
/// on the machine can read.
struct NewPasswordOptions: ParsableArguments {
    @Option(help: ArgumentHelp("File with the password in its first line; - is standard input.", valueName: "path"))
    var passwordFile: String?

    /// - Throws: `OperatorFailure`.
    func read() throws -> String {
        if let passwordFile { return try Self.firstLine(ofFile: passwordFile) }
        if let password = Environment["SONA_PASSWORD"] { return password }
        guard isatty(STDIN_FILENO) == 1 else {
            throw OperatorFailure(64, "Give the password with --password-file or in SONA_PASSWORD.")
        }
        let first = Self.ask("Password: ")
        guard first == Self.ask("The same again: ") else { throw OperatorFailure(64, "The two are not the same.") }
        return first
    }

    private static func firstLine(ofFile path: String) throws -> String {
        do throws(WholeFile.Failure) {
            return String(decoding: try WholeFile.firstLine(path, bytesMax: fileBytesMax), as: UTF8.self)
        } catch {
            throw OperatorFailure(66, "\(path) can't be read: \(error).")
        }
    }

    /// Most bytes of the line; every password is shorter.
    private static let fileBytesMax = 64 * 1024

    private static func ask(_ prompt: String) -> String {
        guard let answer = getpass(prompt) else { return "" }
        return String(cString: answer)
    }
}

/// The failure of an operator's command, with its exit code.
struct OperatorFailure: Error, CustomStringConvertible {
    let exitCode: Int32
    let description: String

    init(_ exitCode: Int32, _ description: String) {
        self.exitCode = exitCode
        self.description = description
    }

    init(_ failure: OperatorDoor.Failure) {
        switch failure {
        case .model: self.init(failure.modelEnding?.exitCode ?? 74, failure.modelEnding?.sentence ?? "")
        case .unanswered(let sentence): self.init(69, sentence + ".")
        case .refused(let error):
            let code: Int32 =
                switch error.code {
                case .userNotFound: 66
                case .authBusy, .serverBusy: 75
                case .serverStorageFailed: 74
                case .authEmailInvalid, .authPasswordUnusable, .usernameInvalid, .requestInvalid: 64
                default: 1
                }
            self.init(code, error.message)
        }
    }
}
