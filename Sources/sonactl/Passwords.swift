internal import ArgumentParser
internal import Glibc
internal import SonaClient

/// Where a password comes from: an option, a file, SONA_PASSWORD, or the person at the terminal.
struct PasswordOptions: ParsableArguments {
    @Option(help: "The password. Others may see it in the list of processes; better use one of the other ways.")
    var password: String?

    @Option(
        help: ArgumentHelp(
            "File whose first line is the password. (default: SONA_PASSWORD, or asked)", valueName: "file"))
    var passwordFile: String?

    func validate() throws {
        if password != nil, passwordFile != nil {
            throw ValidationError("Use either --password or --password-file.")
        }
    }

    /// - Parameter isNew: Whether to ask twice, for a password that nobody has checked yet.
    func read(isNew: Bool) throws -> String {
        if let password { return password }
        if let passwordFile { return try Self.firstLine(passwordFile) }
        if let password = Environment["SONA_PASSWORD"] { return password }
        guard let terminal = Terminal() else {
            throw Failure(64, "There is no terminal to ask for a password; use --password-file or SONA_PASSWORD.")
        }
        let password = try terminal.ask("Password: ")
        if isNew, try terminal.ask("Again: ") != password { throw Failure(64, "The two passwords differ.") }
        return password
    }

    private static func firstLine(_ path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Failure(66, "Cannot open \(path): \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw Failure(66, "Cannot read \(path): \(String(cString: strerror(errno))).") }
        var line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard !line.isEmpty else { throw Failure(65, "\(path) does not begin with a password.") }
        return String(decoding: line, as: UTF8.self)
    }
}

/// The terminal of the process, for questions whose answers are not to be seen.
struct Terminal {
    /// How a terminal was before its echo was turned off.
    struct Saved: Sendable {
        var descriptor: Int32
        var settings: termios

        func restore() {
            var settings = settings
            tcsetattr(descriptor, TCSAFLUSH, &settings)
        }
    }

    private let descriptor: Int32

    /// Nil if the process has none.
    init?() {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    /// Asks, and reads a line without echo.
    func ask(_ question: String) throws -> String {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { throw Failure(74, "The terminal does not answer.") }
        let saved = Saved(descriptor: descriptor, settings: settings)
        Interruption.restoring(saved)
        defer {
            saved.restore()
            Interruption.restoring(nil)
            _ = Glibc.write(descriptor, "\n", 1)
        }
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(descriptor, TCSAFLUSH, &settings)
        _ = Glibc.write(descriptor, question, question.utf8.count)
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while Glibc.read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n"), line.count < 1024 {
            line.append(byte)
        }
        guard !line.isEmpty else { throw Failure(64, "No password was given.") }
        return String(decoding: line, as: UTF8.self)
    }
}
