internal import SonaBase

/// Files of /proc and /sys: they have no size, and must be read to their end.
enum ProcFile {
    /// Nil if it cannot be read.
    static func read(_ path: String) -> String? {
        (try? WholeFile.read(path)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The first line, its ends trimmed and tabs turned into spaces.
    static func line(_ path: String) -> String? {
        read(path)?.split(separator: "\n").first.map { line in
            line.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
        }
    }

    /// The text after `key:` in a file of such lines, trimmed.
    static func value(_ key: String, in path: String) -> String? {
        for line in read(path)?.split(separator: "\n") ?? [] where line.hasPrefix(key) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            return String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
        }
        return nil
    }
}
