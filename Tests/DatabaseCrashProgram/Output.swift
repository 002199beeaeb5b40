import Glibc

/// Lines on standard output, each in one write, so that what was said before a kill is said.
enum Output {
    static func say(_ line: String) {
        var line = line + "\n"
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = write(STDOUT_FILENO, rest.baseAddress, rest.count)
                if count < 0, errno != EINTR { _exit(74) }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
            }
        }
    }

    /// A finding: the test that started the program fails with it.
    static func fail(_ text: String) { say("FAIL " + text) }
}
