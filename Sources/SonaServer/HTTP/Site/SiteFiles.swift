internal import CWebPlayer
internal import Glibc
internal import SonaBase

/// The files that a site is made of: paths from its root, without a slash at the beginning, and contents.
struct SiteFiles: Sendable {
    var contents: [String: [UInt8]] = [:]

    /// Most bytes of one file. A larger file is left out, because a site is kept in memory.
    static let fileBytesMax = 8 << 20

    /// The web player as it was built into the program.
    static let embedded: SiteFiles = {
        var files = SiteFiles()
        var index = 0
        while let file = sona_site_file_at(index)?.pointee {
            files.contents[String(cString: file.path)] = Array(
                UnsafeBufferPointer(start: file.bytes, count: file.size))
            index += 1
        }
        return files
    }()

    init(_ contents: [String: [UInt8]] = [:]) { self.contents = contents }

    /// The files of a folder and of the folders in it, for developers of the player. Names that begin with a dot are
    /// left out, and so are files that cannot be read. Links are not followed.
    init(folder: String) { read(folder, "") }

    private mutating func read(_ folder: String, _ prefix: String) {
        guard let listing = opendir(folder) else { return }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            let path = folder + "/" + name
            switch Int(entry.pointee.d_type) {
            case DT_DIR: read(path, prefix + name + "/")
            case DT_REG: contents[prefix + name] = try? WholeFile.read(path, bytesMax: Self.fileBytesMax)
            default: break
            }
        }
    }
}
