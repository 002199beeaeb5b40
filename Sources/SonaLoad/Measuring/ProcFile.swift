internal import Glibc

/// Files of /proc and /sys: they have no size, and must be read to their end.
enum ProcFile {
    /// Nil if it cannot be read.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count <= 0 { return count < 0 && all.isEmpty ? nil : String(decoding: all, as: UTF8.self) }
            all += bytes[..<count]
        }
    }

    /// The first line, its ends trimmed and tabs turned into spaces.
    static func line(_ path: String) -> String? {
        read(path)?.split(separator: "\n").first.map { line in
            line.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
        }
    }

    /// What stands behind `key:` in a file of such lines, trimmed.
    static func value(_ key: String, in path: String) -> String? {
        for line in read(path)?.split(separator: "\n") ?? [] where line.hasPrefix(key) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            return String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
        }
        return nil
    }
}
