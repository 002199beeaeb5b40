internal import Glibc

/// The files of a data folder that a backup holds, besides the database and the keys.
///
/// ```
/// media/AA/BB/HASH    finished uploads          yes
/// media/covers        covers that were made     yes
/// media/renditions    tracks in other forms     only if asked for: they are made again
/// media/incoming      uploads under way         no: their clients begin anew
/// recordings          recordings of hosts       yes, as far as they are on disk
/// demo                albums of the demo        no: the server writes them again
/// ```
/// Photos and pictures are in the database.
enum SourceFiles {
    struct Source: Sendable {
        /// Relative to the data folder.
        let path: String
        let size: Int64
        let modifiedNanoseconds: Int64
    }

    private static let folders = ["media", "recordings"]
    private static let renditions = "media/renditions"
    private static let depthMax = 8

    /// Whether a backup may hold a file of this path: it lies in one of the folders and does not lead out of them.
    static func isBackedUp(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count >= 2 && parts.count <= depthMax && folders.contains(String(parts[0]))
            && !path.utf8.contains(0) && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// All of them, by path. Files that go away meanwhile are left out.
    static func list(_ dataFolder: String, withRenditions: Bool) -> [Source] {
        var found: [Source] = []
        for folder in folders { walk(dataFolder, folder, withRenditions, &found) }
        return found.sorted { $0.path < $1.path }
    }

    private static func walk(_ root: String, _ folder: String, _ withRenditions: Bool, _ found: inout [Source]) {
        if folder == "media/incoming" || folder == renditions && !withRenditions { return }
        for name in FolderContent.names("\(root)/\(folder)") {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat("\(root)/\(path)", &status) == 0, isBackedUp(path) else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: walk(root, path, withRenditions, &found)
            // Half-written files of ours end like this.
            case S_IFREG where !name.hasSuffix(".tmp"):
                let time = status.st_mtim
                found.append(
                    Source(
                        path: path, size: Int64(status.st_size),
                        modifiedNanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)))
            default: break
            }
        }
    }

    /// The hash that the file of an upload is named by; `nil` for other files.
    static func namedHash(_ path: String) -> String? {
        let parts = path.split(separator: "/")
        guard parts.count == 4, parts[0] == "media", parts[1].utf8.count == 2, parts[2].utf8.count == 2,
            Hex.isHash(String(parts[3]))
        else { return nil }
        return String(parts[3])
    }

    /// The path of an upload by its hash.
    static func path(ofContent hash: String) -> String {
        "media/\(hash.prefix(2))/\(hash.dropFirst(2).prefix(2))/\(hash)"
    }
}

/// The names in a folder.
enum FolderContent {
    /// Sorted; empty if there is no such folder.
    static func names(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
