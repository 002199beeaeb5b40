import ArgumentParser
import Glibc
import SonaServer
import SonaWire

/// What commands of the operator share: the way to the accounts, and how answers are shown.
struct OperatorOptions: ParsableArguments {
    @OptionGroup var folder: DataFolderOption

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp("What links begin with, where no server runs.", valueName: "https://HOST"))
    var publicURL: String?

    @Flag(help: "Print JSON, one object to a line.") var json = false

    /// - Throws: `OperatorFailure`.
    func ask<Request: WireRequest>(_ request: Request) async throws -> Request.Response {
        do throws(OperatorDoor.Failure) {
            let door = OperatorDoor(dataFolder: folder.data, publicAddress: publicURL) { writeLine(2, "sona: \($0)") }
            return try await door.call(request)
        } catch {
            throw OperatorFailure(error)
        }
    }

    func write(_ object: some WireObject) {
        writeLine(1, String(decoding: object.encoded(), as: UTF8.self))
    }

    func show(_ user: AdminUser) {
        if json { return write(user) }
        var line =
            "\(user.user.username.map { "@\($0.rawValue)" } ?? "(no username)")  \(user.user.uid)  \(user.role.rawValue)"
        if let ban = user.ban {
            line += ban.untilMilliseconds.map { "  banned until \(Self.time($0))" } ?? "  banned"
        }
        writeLine(1, line)
    }

    func show(_ link: OperatorLink) {
        json ? write(link) : writeLine(1, link.link ?? link.code)
    }

    /// UTC, as ISO 8601 writes it.
    private static func time(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            let count = strftime(buffer.baseAddress, 32, "%Y-%m-%dT%H:%M:%SZ", &parts)
            return String(decoding: UnsafeRawBufferPointer(start: buffer.baseAddress, count: count), as: UTF8.self)
        }
    }
}

/// Where a new password comes from: a file, the environment, or the terminal; never the command line, which everybody on
/// the machine can read.
struct NewPasswordOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read it from the first line of this file; - is standard input.", valueName: "path"))
    var passwordFile: String?

    /// - Throws: `OperatorFailure`.
    func read() throws -> String {
        if let passwordFile { return try Self.firstLine(ofFile: passwordFile) }
        if let password = environment("SONA_PASSWORD") { return password }
        guard isatty(STDIN_FILENO) == 1 else {
            throw OperatorFailure(64, "Give the password with --password-file or in SONA_PASSWORD.")
        }
        let first = Self.ask("Password: ")
        guard first == Self.ask("The same again: ") else { throw OperatorFailure(64, "The two are not the same.") }
        return first
    }

    private static func firstLine(ofFile path: String) throws -> String {
        guard let file = fopen(path == "-" ? "/dev/stdin" : path, "r") else {
            throw OperatorFailure(66, "\(path) can't be read: \(String(cString: strerror(errno))).")
        }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        let count = getline(&line, &capacity, file)
        guard count > 0, let line else { return "" }
        let bytes = UnsafeRawBufferPointer(start: line, count: count)
        return String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }

    private static func ask(_ prompt: String) -> String {
        guard let answer = getpass(prompt) else { return "" }
        return String(cString: answer)
    }
}

/// How a command of the operator ends other than well.
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
