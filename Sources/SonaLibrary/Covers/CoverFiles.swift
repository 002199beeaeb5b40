internal import Glibc
internal import SonaBase
internal import SonaImages
internal import SonaWire

/// Covers that were made, in the data folder: WebP, named by what they were made of. Another picture, and another version
/// of this code, has another name.
struct CoverFiles: Sendable {
    /// Bytes of all covers that are kept. The least recently used ones go.
    private static let spaceMax: Int64 = 512 << 20

    /// `nil`: nothing is kept.
    let folder: String?

    /// Reads a cover, and notes that it was used.
    func read(_ name: String, _ size: CoverSize) -> [UInt8]? {
        guard let path = folder.map({ "\($0)/\(name).\(size.rawValue)" }), let bytes = try? WholeFile.read(path) else {
            return nil
        }
        utimensat(AT_FDCWD, path, nil, 0)
        return bytes
    }

    /// Writes sizes of a cover. A failure is ignored: they are made again when they are asked for.
    func keep(_ cover: SonaImages.Photo, _ name: String, _ sizes: [CoverSize]) {
        guard let folder else { return }
        var made = ""
        for part in folder.split(separator: "/") {
            made += "/\(part)"
            mkdir(made, 0o700)
        }
        for size in sizes { _ = try? SecretFile.create("\(folder)/\(name).\(size.rawValue)", cover.bytes(size)) }
    }

    /// Removes the least recently used covers beyond the space for all.
    ///
    /// - Returns: How many files were removed.
    func tidy() -> Int {
        guard let folder, let stream = opendir(folder) else { return 0 }
        defer { closedir(stream) }
        var files: [(name: String, size: Int64, used: Int64)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard stat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            files.append((name, Int64(status.st_size), Int64(status.st_mtim.tv_sec)))
        }
        var space = files.reduce(0) { $0 + $1.size }
        var count = 0
        for file in files.sorted(by: { $0.used < $1.used }) where space > Self.spaceMax {
            unlink("\(folder)/\(file.name)")
            space -= file.size
            count += 1
        }
        return count
    }
}

extension SonaImages.Photo {
    /// The bytes of a size of a cover.
    func bytes(_ size: CoverSize) -> [UInt8] {
        switch size {
        case .small: squares[0].bytes
        case .medium: squares[1].bytes
        case .full: full.bytes
        }
    }
}
