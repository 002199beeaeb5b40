internal import Glibc

/// Files to play on the command line.
enum MusicFolder {
    /// A party does not need more, and each is kept open.
    private static let filesMax = 1_000

    /// Endings of the names of files that may hold sound. What they do hold, their bytes say.
    private static let endings: Set<String> = [
        "aac", "aif", "aifc", "aiff", "ape", "au", "caf", "dsf", "flac", "m4a", "m4b", "mka", "mp3", "mp4", "mpc",
        "oga",
        "ogg", "opus", "tta", "wav", "webm", "wma", "wv",
    ]

    /// A file to play.
    struct File {
        var path: String
        /// Whether it was found in a folder, rather than named.
        var isFound = false
    }

    /// Each path, or for a folder the sound files in it, by name.
    static func files(_ paths: [String]) throws -> [File] {
        var files: [File] = []
        for path in paths {
            guard let names = names(in: path) else {
                files.append(File(path: path))
                continue
            }
            let music = names.filter { isSound($0) }.sorted()
            guard !music.isEmpty else {
                throw Failure(66, "There is no sound file in \(Console.printable(path)).")
            }
            files += music.map { File(path: path.hasSuffix("/") ? path + $0 : "\(path)/\($0)", isFound: true) }
        }
        guard files.count <= filesMax else { throw Failure(64, "These are more than \(filesMax) files.") }
        return files
    }

    private static func isSound(_ name: String) -> Bool {
        guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
        return endings.contains(name[name.index(after: dot)...].lowercased())
    }

    /// - Returns: `nil` if it is no folder, or cannot be read as one: opening it says why.
    private static func names(in path: String) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }
}
