internal import Glibc
internal import SonaBase

/// Standard output for data, standard error for everything else. Both unbuffered.
enum Console {
    static func out(_ text: String) {
        if !isWritten(text) { _exit(74) }
    }

    /// The same for a caller that still has something to do where nobody reads.
    static func isWritten(_ text: String) -> Bool { ConsoleLine.write(to: STDOUT_FILENO, text) }

    static func say(_ text: String) { ConsoleLine.write(to: STDERR_FILENO, text) }

    /// Text from elsewhere without characters that would control the terminal.
    static func printable(_ text: String) -> String { ConsoleLine.printable(text) }
}
