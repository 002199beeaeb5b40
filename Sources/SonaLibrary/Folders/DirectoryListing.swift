internal import Glibc
internal import SonaSandbox

/// The content of a directory of a music folder, as far as it is about music.
struct DirectoryListing {
    /// A file whose name says that it is sound.
    struct File {
        let name: [UInt8]
        let size: Int64
        let modifiedNanoseconds: Int64
        /// When content or names last changed; programs that copy can't set it back.
        let changedNanoseconds: Int64
        let inode: Int64
        /// The words of the song in a file beside it, `SONG.lrc` or `SONG.mp3.lrc`.
        var lyrics: LyricsFile?
    }

    var files: [File] = []
    var directories: [[UInt8]] = []
    /// The picture that is the cover of what lies here.
    var cover: DirectoryCover?
    /// Identifies the directory whatever path leads to it.
    var device: UInt64 = 0
    var inode: UInt64 = 0
    /// A file `.nomedia` or `.sonaignore` says that nothing in here is music for Sona.
    var isIgnored = false

    /// - Throws: `BeneathFolder.Failure` if it can't be read.
    init(_ path: [UInt8], in folder: BeneathFolder) throws(BeneathFolder.Failure) {
        let descriptor = try folder.open(path, isDirectory: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw BeneathFolder.Failure(errno: errno)
        }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            throw BeneathFolder.Failure(errno: errno)
        }
        defer { closedir(stream) }
        var covers: [(rank: Int, cover: DirectoryCover)] = []
        var patterns: [String] = []
        var lyrics: [[UInt8]: LyricsFile] = [:]
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name.first == UInt8(ascii: ".") {
                if name == SoundNames.noMedia { isIgnored = true }
                if name == SoundNames.ignoreFile { patterns += Self.patterns(name, path, folder) }
                continue
            }
            // A link is looked at through `folder`, so that it does not lead out of it.
            if entry.pointee.d_type == UInt8(DT_LNK) {
                addLinked(name, path, folder)
                continue
            }
            guard fstatat(dirfd(stream), name.cString, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            add(name, status, &covers)
            if status.st_mode & S_IFMT == S_IFREG, let stem = SoundNames.lyricsStem(name) {
                lyrics[stem] = LyricsFile(name: name, modifiedNanoseconds: status.modifiedNanoseconds)
            }
        }
        cover = covers.min { ($0.rank, $0.cover.name.lexicographic) < ($1.rank, $1.cover.name.lexicographic) }?.cover
        apply(patterns)
        guard !lyrics.isEmpty else { return }
        for index in files.indices {
            let name = files[index].name
            files[index].lyrics = lyrics[SoundNames.stemBytes(name)] ?? lyrics[name]
        }
    }

    private mutating func add(
        _ name: [UInt8], _ status: stat, _ covers: inout [(rank: Int, cover: DirectoryCover)]
    ) {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: directories.append(name)
        case S_IFREG:
            if SoundNames.isSound(name) { files.append(File(name, status)) }
            if let rank = SoundNames.coverRank(name), status.st_size > 0 {
                covers.append((rank, DirectoryCover(name: name, modifiedNanoseconds: status.modifiedNanoseconds)))
            }
        default: break
        }
    }

    private mutating func addLinked(_ name: [UInt8], _ path: [UInt8], _ folder: BeneathFolder) {
        let isSound = SoundNames.isSound(name)
        guard let file = try? folder.open(path.isEmpty ? name : path + [UInt8(ascii: "/")] + name) else { return }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: directories.append(name)
        case S_IFREG where isSound: files.append(File(name, status))
        default: break
        }
    }

    // MARK: Ignoring

    private static let patternBytesMax = 65_536

    /// The lines of an ignore file: `*` and `?` as in a shell; empty lines and those with `#` are left out. A file
    /// without a line ignores everything.
    private static func patterns(_ name: [UInt8], _ path: [UInt8], _ folder: BeneathFolder) -> [String] {
        guard let file = try? folder.open(path.isEmpty ? name : path + [UInt8(ascii: "/")] + name) else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: patternBytesMax)
        let count = max(0, read(file, &bytes, bytes.count))
        let lines = bytes.prefix(count).split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self).trimmed
        }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        return lines.isEmpty ? ["*"] : lines
    }

    private mutating func apply(_ patterns: [String]) {
        guard !patterns.isEmpty else { return }
        func isIgnored(_ name: [UInt8]) -> Bool {
            patterns.contains { pattern in
                fnmatch(pattern.hasSuffix("/") ? String(pattern.dropLast()) : pattern, name.cString, 0) == 0
            }
        }
        files.removeAll { isIgnored($0.name) }
        directories.removeAll(where: isIgnored)
    }
}

/// The picture in a directory that is the cover of what lies there.
struct DirectoryCover: Sendable, Equatable {
    let name: [UInt8]
    /// When it was last changed, nanoseconds since 1970.
    let modifiedNanoseconds: Int64
}

/// A file beside a track with the words of the song.
struct LyricsFile: Sendable, Equatable {
    let name: [UInt8]
    /// When it was last changed, nanoseconds since 1970.
    let modifiedNanoseconds: Int64
}

extension stat {
    /// When the content last changed, nanoseconds since 1970.
    var modifiedNanoseconds: Int64 { Int64(st_mtim.tv_sec) * 1_000_000_000 + Int64(st_mtim.tv_nsec) }
}

extension DirectoryListing.File {
    fileprivate init(_ name: [UInt8], _ status: stat) {
        self.name = name
        size = Int64(status.st_size)
        modifiedNanoseconds = status.modifiedNanoseconds
        changedNanoseconds = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
        inode = Int64(truncatingIfNeeded: status.st_ino)
    }
}

/// Which files are looked at, by their names.
enum SoundNames {
    private static let sounds: Set<String> = [
        "mp3", "mp2", "flac", "ogg", "oga", "opus", "wav", "wave", "rf64", "aif", "aiff", "aifc", "wv", "ape", "wma",
        "asf", "m4a", "m4b", "mp4", "aac", "mka", "webm", "caf", "dsf", "tta", "mpc", "mp+", "au", "snd",
    ]
    private static let pictures: Set<String> = ["jpg", "jpeg", "png", "webp"]
    private static let coverNames = ["cover", "folder", "front", "album", "albumart"]

    static let noMedia = Array(".nomedia".utf8)
    static let ignoreFile = Array(".sonaignore".utf8)

    static func isIgnoreFile(_ name: [UInt8]) -> Bool { name == noMedia || name == ignoreFile }

    static func isSound(_ name: [UInt8]) -> Bool { sounds.contains(ending(name)) }

    /// The smaller, the better; `nil` for what is no cover.
    static func coverRank(_ name: [UInt8]) -> Int? {
        let ending = ending(name)
        guard pictures.contains(ending) else { return nil }
        let stem = String(decoding: name.dropLast(ending.utf8.count + 1), as: UTF8.self).lowercased()
        return coverNames.firstIndex(of: stem)
    }

    /// The letters after the last dot, small.
    private static func ending(_ name: [UInt8]) -> String {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 6 else { return "" }
        return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    }

    /// The name before `.lrc`; `nil` for other files.
    static func lyricsStem(_ name: [UInt8]) -> [UInt8]? { ending(name) == "lrc" ? stemBytes(name) : nil }

    /// The name without its ending.
    static func stem(_ name: [UInt8]) -> String { String(decoding: stemBytes(name), as: UTF8.self) }

    static func stemBytes(_ name: [UInt8]) -> [UInt8] {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
        return Array(name[..<dot])
    }
}

extension [UInt8] {
    /// The bytes as the system takes a path.
    var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
    fileprivate var lexicographic: String { String(decoding: self, as: UTF8.self) }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        while text.first?.isWhitespace == true { text.removeFirst() }
        return String(text)
    }
}
