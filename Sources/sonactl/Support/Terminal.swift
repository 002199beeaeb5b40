internal import Glibc

/// The terminal of the process, for questions, wherever standard input and output lead.
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

    private static let lineBytesMax = 1024

    private let descriptor: Int32

    /// Nil if the process has none.
    init?() {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    /// Asks for a password without showing the typed characters.
    func askSecretly(_ question: String) throws -> String {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { throw Failure(74, "The terminal does not answer.") }
        let saved = Saved(descriptor: descriptor, settings: settings)
        Interruption.restoring(saved)
        defer {
            saved.restore()
            Interruption.restoring(nil)
            write("\n")
        }
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(descriptor, TCSAFLUSH, &settings)
        write(question)
        let line = readLine()
        guard !line.isEmpty else { throw Failure(64, "No password was given.") }
        return line
    }

    /// Asks for a line, empty if there is none.
    func ask(_ question: String) -> String {
        write(question)
        return readLine()
    }

    private func write(_ text: String) { _ = Glibc.write(descriptor, text, text.utf8.count) }

    private func readLine() -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while Glibc.read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n"), line.count < Self.lineBytesMax {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}
