internal import Glibc

/// Lines that programs write for people and for pipes, and what a terminal can show of them.
///
/// Output is not buffered: the reader at the other end of a pipe sees a line when it is written. Any thread.
public enum ConsoleLine {
    /// Writes a line and its end, whole.
    ///
    /// - Parameter descriptor: 1 for standard output, 2 for standard error.
    /// - Returns: False if not all of it was taken: nobody reads on, or the disk is full.
    @discardableResult
    public static func write(to descriptor: Int32, _ line: String) -> Bool {
        (try? WholeFile.write(Array((line + "\n").utf8), to: descriptor)) != nil
    }

    /// Whether a line can be redrawn there: it is a terminal, and one that moves its cursor.
    public static func isInteractive(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && Environment["TERM"] != "dumb"
    }

    /// Columns that a line may fill: one less than the terminal has, since some wrap a full line. 79 off a terminal.
    ///
    /// Source: ioctl_tty(2), TIOCGWINSZ.
    public static func columns(_ descriptor: Int32) -> Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1 ? Int(size.ws_col) - 1 : 79
    }

    /// Text from elsewhere, in which characters that would control the terminal become spaces: control characters, ends
    /// of lines, and the characters that change the direction of writing.
    ///
    /// Joiners stay: emoji of families and words of some scripts are made with them.
    ///
    /// Source: Unicode Standard Annex 9, section 2, for the direction of writing.
    public static func printable(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { clean.append(isCommand(scalar) ? " " : scalar) }
        return String(clean)
    }

    private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
