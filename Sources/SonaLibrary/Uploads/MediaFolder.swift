internal import Glibc
internal import SonaCrypto
internal import SonaModel
internal import SonaWire

/// The files of uploads, in the data folder:
///
/// ```
/// media/incoming/ID         an upload that is under way
/// media/AA/BB/SHA-256       a finished one, named by the hash of its bytes in hexadecimal digits, AA and BB being the first
/// ```
///
/// A file gets its second name by a rename within one file system, once all of it is on disk: whatever happens, it is
/// whole there, or not there. Blocks the thread.
struct MediaFolder: Sendable {
    let path: String

    init(dataFolder: String) { path = dataFolder + "/media" }

    /// A call of the system that failed.
    struct Failure: Error {
        let operation: String
        let errno: Int32

        init(_ operation: String, _ errno: Int32 = Glibc.errno) {
            self.operation = operation
            self.errno = errno
        }

        var isOfSpace: Bool { errno == ENOSPC || errno == EDQUOT }
        var reason: String { "\(operation): \(String(cString: strerror(errno)))" }
    }

    // MARK: Places

    private var incoming: String { path + "/incoming" }

    private func incoming(_ id: MusicID) -> String { incoming + "/" + id.rawValue }

    private func folder(of content: [UInt8]) -> String {
        let name = Self.hex(content.prefix(2))
        return "\(path)/\(name.prefix(2))/\(name.suffix(2))"
    }

    private func place(of content: [UInt8]) -> String { folder(of: content) + "/" + Self.hex(content[...]) }

    static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The hash that a file is named by; `nil` for other names.
    static func content(_ name: String) -> [UInt8]? {
        let digits = Array(name.utf8)
        guard digits.count == 2 * Digest.sha256Bytes else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[place..<place + 2], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16), pair == hex([byte][...]) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    // MARK: Folders

    /// Makes the folders that are always there.
    func make() throws {
        try make(path)
        try make(incoming)
    }

    private func make(_ folder: String) throws {
        guard mkdir(folder, 0o700) == 0 else {
            if errno == EEXIST { return }
            throw Failure("mkdir")
        }
        // The name of the folder must last as long as those in it.
        try sync(String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]))
    }

    private func sync(_ folder: String) throws {
        let file = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw Failure("open") }
        defer { close(file) }
        guard fsync(file) == 0 else { throw Failure("fsync") }
    }

    /// Bytes that are free where the files lie, for users other than root.
    var freeBytes: Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    }

    // MARK: Uploads under way

    /// Opens the file of an upload, and makes it if there is none.
    func openIncoming(_ id: MusicID) throws -> Int32 {
        let file = Glibc.open(incoming(id), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Failure("open") }
        return file
    }

    /// Puts the bytes of a file on disk.
    ///
    /// - Parameter isNew: Whether its name may not be there yet.
    func sync(_ file: Int32, isNew: Bool) throws {
        guard fdatasync(file) == 0 else { throw Failure("fdatasync") }
        if isNew { try sync(incoming) }
    }

    func removeIncoming(_ id: MusicID) { unlink(incoming(id)) }

    /// Bytes of the file of an upload; 0 if there is none.
    func incomingSize(_ id: MusicID) -> Int64 { Self.size(incoming(id)) ?? 0 }

    /// The uploads that have a file.
    func allIncoming() -> [MusicID] { Self.names(incoming).compactMap { MusicID($0) } }

    // MARK: Contents

    /// Opens a content for reading; `nil` if it is not there.
    func open(content: [UInt8]) -> Int32? {
        let file = Glibc.open(place(of: content), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        return file < 0 ? nil : file
    }

    /// Opens the file of an upload for reading; `nil` if it is not there.
    func open(incoming id: MusicID) -> Int32? {
        let file = Glibc.open(incoming(id), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        return file < 0 ? nil : file
    }

    /// Gives the file of an upload its place as a content. If the content is there already, the upload's file goes.
    func keep(_ id: MusicID, as content: [UInt8], size: Int64) throws {
        let (from, to) = (incoming(id), place(of: content))
        if Self.size(to) == size {
            unlink(from)
        } else {
            let folder = folder(of: content)
            try make(String(folder.dropLast(3)))
            try make(folder)
            guard rename(from, to) == 0 else { throw Failure("rename") }
            try sync(incoming)
        }
        // Also for a content that somebody else has just brought: it may not last yet.
        try sync(folder(of: content))
    }

    func remove(content: [UInt8]) { unlink(place(of: content)) }

    /// Calls `body` with each content that has a file, until it returns false.
    func forEachContent(_ body: ([UInt8]) throws -> Bool) rethrows {
        for first in Self.names(path) where first.utf8.count == 2 {
            for second in Self.names("\(path)/\(first)") where second.utf8.count == 2 {
                for name in Self.names("\(path)/\(first)/\(second)") {
                    guard let content = Self.content(name) else { continue }
                    guard try body(content) else { return }
                }
            }
        }
    }

    private static func size(_ path: String) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    private static func names(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// SHA-256 of a file.
    static func hash(_ file: Int32) throws -> [UInt8] {
        let stream = HashStream(.sha256)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var place: off_t = 0
        while true {
            let count = pread(file, &buffer, buffer.count, place)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure("read") }
            if count == 0 { return stream.finish() }
            buffer.withUnsafeBytes { stream.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            place += off_t(count)
        }
    }
}
