internal import Glibc

/// Backups at a remote place that rclone reaches. See `BackupPlace`.
///
/// Objects wait in a folder beside the data and go up many at a time. The manifest goes up after rclone has said that
/// all of them are there, and after their sizes were looked up. A remote place has no lock: one server, one place.
final class RclonePlace: BackupPlace {
    private let rclone: Rclone
    private let work: String
    private var lock: FolderLock?
    private var known: [String: Int64]?
    /// Objects that wait, with their sizes.
    private var waiting: [String: Int64] = [:]
    private var waitingBytes: Int64 = 0
    private var reading: String?

    private static let waitingBytesMax: Int64 = 256 << 20
    private static let objectsPerCall = 2_000

    var title: String { "rclone:\(rclone.root)" }
    var staging: String { work + "/staging" }
    private var outgoing: String { work + "/outgoing" }

    init(_ rclone: Rclone, workFolder: String) {
        self.rclone = rclone
        work = workFolder
    }

    deinit {
        if lock != nil { FileWork.removeFolder(work) }
        if let reading { FileWork.removeFolder(reading) }
    }

    func beginWriting() throws(BackupError) {
        try FileWork.makeFolder(work)
        lock = try FolderLock(work + "/lock", exclusive: true, "Another backup is under way from this data folder.")
        for folder in [staging, outgoing] {
            FileWork.removeFolder(folder)
            try FileWork.makeFolder(folder)
        }
        let names = try lines(["lsf", "--max-depth", "1", rclone.root]) ?? []
        if !names.contains("sona-backups") {
            guard names.isEmpty else {
                throw BackupError(.exists, "\(title) holds something else: name an empty folder, or a new one.")
            }
            try upload("sona-backups", Array("Backups of Sona, made by sona backup. Format 1.\n".utf8))
        }
        known = try objects()
    }

    func beginReading() throws(BackupError) {
        guard try lines(["lsf", "--max-depth", "1", rclone.root])?.contains("sona-backups") == true else {
            throw BackupError(.missing, "There are no backups in \(title).")
        }
    }

    private func lines(_ arguments: [String]) throws(BackupError) -> [String]? {
        try rclone.run(arguments).map { bytes in
            bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private func upload(_ path: String, _ bytes: [UInt8]) throws(BackupError) {
        let file = staging + "/upload"
        try FileWork.replace(file, bytes)
        defer { unlink(file) }
        try rclone.run(["copyto", file, rclone.path(path)])
    }

    // MARK: Objects

    func size(ofObject hash: String) -> Int64? { known?[hash] ?? waiting[hash] }

    func put(_ hash: String, file: String, size: Int64) throws(BackupError) {
        let folder = "\(outgoing)/objects/\(hash.prefix(2))"
        try FileWork.makeFolder(folder)
        guard rename(file, "\(folder)/\(hash)") == 0 else { throw .system("renamed", file) }
        waiting[hash] = size
        waitingBytes += size
        if waitingBytes >= Self.waitingBytesMax { try flush() }
    }

    func flush() throws(BackupError) {
        guard !waiting.isEmpty else { return }
        try rclone.run(["copy", "--transfers", "4", outgoing, rclone.root])
        // What a place says it took is believed only once it lists it.
        let there = try objects()
        for (hash, size) in waiting where there[hash] != size {
            throw BackupError(.remote, "\(title) does not list the object \(hash) with its \(size) bytes.")
        }
        known = there
        waiting = [:]
        waitingBytes = 0
        FileWork.removeFolder(outgoing)
        try FileWork.makeFolder(outgoing)
    }

    func objects() throws(BackupError) -> [String: Int64] {
        var found: [String: Int64] = [:]
        let form = ["--format", "sp", "--separator", " "]
        let listed = try lines(["lsf", "-R", "--files-only"] + form + [rclone.path("objects")])
        for line in listed ?? [] {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let size = Int64(parts[0]), let hash = parts[1].split(separator: "/").last,
                Hex.isHash(String(hash))
            else { continue }
            found[String(hash)] = size
        }
        return found
    }

    func removeObjects(_ hashes: [String]) throws(BackupError) {
        for start in stride(from: 0, to: hashes.count, by: Self.objectsPerCall) {
            let list = hashes[start..<min(start + Self.objectsPerCall, hashes.count)]
            let file = staging + "/list"
            try FileWork.replace(file, Array(list.map { "/\(Self.relative($0))\n" }.joined().utf8))
            defer { unlink(file) }
            try rclone.run(["delete", "--files-from-raw", file, rclone.root])
        }
    }

    private static func relative(_ hash: String) -> String { "objects/\(hash.prefix(2))/\(hash)" }

    func fetch(_ hashes: Set<String>, staging: String) throws(BackupError) {
        let folder = staging + "/fetched"
        reading = folder
        try FileWork.makeFolder(folder)
        let list = staging + "/list"
        try FileWork.replace(list, Array(hashes.sorted().map { "/\(Self.relative($0))\n" }.joined().utf8))
        defer { unlink(list) }
        try rclone.run(["copy", "--transfers", "4", "--files-from-raw", list, rclone.root, folder])
    }

    func path(ofObject hash: String) -> String { "\(reading ?? work)/\(Self.relative(hash))" }

    // MARK: Manifests

    private func place(_ name: String) -> String { "backups/\(name)\(BackupManifest.fileSuffix)" }

    func publish(_ name: String, _ bytes: [UInt8]) throws(BackupError) { try upload(place(name), bytes) }

    func names() throws(BackupError) -> [String] {
        let listed = try lines(["lsf", "--files-only", rclone.path("backups")]) ?? []
        return listed.filter { $0.hasSuffix(BackupManifest.fileSuffix) }
            .map { String($0.dropLast(BackupManifest.fileSuffix.count)) }.filter(BackupManifest.isName).sorted()
    }

    func manifest(_ name: String) throws(BackupError) -> [UInt8] {
        guard try names().contains(name), let bytes = try rclone.run(["cat", rclone.path(place(name))]) else {
            throw BackupError(.missing, "There is no backup \(name) in \(title).")
        }
        return bytes
    }

    func removeManifest(_ name: String) throws(BackupError) {
        try rclone.run(["deletefile", rclone.path(place(name))])
    }
}
