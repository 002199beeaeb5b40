internal import Glibc

/// Files to play on the command line.
enum MusicFolder {
    /// A party does not need more, and each is kept open.
    private static let filesMax = 1_000

    /// Each path, or for a folder the Ogg Opus files in it, by name.
    static func files(_ paths: [String]) throws -> [String] {
        var files: [String] = []
        for path in paths {
            guard let names = names(in: path) else {
                files.append(path)
                continue
            }
            let music = names.filter { $0.hasSuffix(".opus") || $0.hasSuffix(".ogg") }.sorted()
            guard !music.isEmpty else {
                throw Failure(66, "There is no .opus or .ogg file in \(Console.printable(path)).")
            }
            files += music.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
        }
        guard files.count <= filesMax else { throw Failure(64, "These are more than \(filesMax) files.") }
        return files
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
