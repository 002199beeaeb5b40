internal import Glibc
public import SonaBase

/// A file of lines `key = value`.
///
/// Empty lines, and lines that begin with `#`, say nothing. Spaces around key and value do not count; a value may stand
/// in double quotes, which are taken off. A key of a list may stand in several lines. A key without a value is as if it
/// were not there. UTF-8.
public struct ConfigurationFile: Sendable {
    public struct Line: Sendable {
        /// Counted from 1.
        public let number: Int
        public let key: String
        public let value: String
    }

    public let path: String
    public let lines: [Line]
    /// Sentences about lines that could not be read.
    public let faults: [String]
    /// Whether others than the file's owner may read it.
    public let isReadableByOthers: Bool

    /// A longer file is not a configuration.
    private static let bytesMax = 1 << 20

    /// - Throws: If the file can't be read; the caller names it.
    public init(path: String) throws(WholeFile.Failure) {
        let bytes = try WholeFile.read(path, bytesMax: Self.bytesMax)
        var status = stat()
        let isReadableByOthers = stat(path, &status) == 0 && status.st_mode & 0o044 != 0
        self.init(path: path, text: String(decoding: bytes, as: UTF8.self), isReadableByOthers: isReadableByOthers)
    }

    /// - Parameters:
    ///   - path: How messages name the file.
    ///   - text: The content.
    public init(path: String, text: String, isReadableByOthers: Bool = false) {
        self.path = path
        self.isReadableByOthers = isReadableByOthers
        var lines: [Line] = []
        var faults: [String] = []
        for (index, raw) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = raw.trimmed
            guard !line.isEmpty, line.first != "#" else { continue }
            guard let equals = line.firstIndex(of: "=") else {
                faults.append("\(path):\(index + 1): a line is \"key = value\", or begins with #")
                continue
            }
            var value = line[line.index(after: equals)...].trimmed
            if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            lines.append(Line(number: index + 1, key: String(line[..<equals].trimmed), value: String(value)))
        }
        self.lines = lines
        self.faults = faults
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return ""
        }
        return self[first...last]
    }
}
