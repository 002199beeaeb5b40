import Glibc
import SonaBase
import SonaTestSupport
import Testing

/// In series: the umask belongs to the whole process.
@Suite(.serialized) struct SecretFileTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("secret") }

    private var names: [String] {
        guard let listing = opendir(folder.path) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    @Test(arguments: [0, 0o022, 0o377] as [mode_t])
    func `a file has mode 0600 under any umask, and nothing lies beside it`(mask: mode_t) throws {
        let before = umask(mask)
        defer { umask(before) }
        #expect(try SecretFile.create(path, [1, 2, 3]))
        #expect(TemporaryFolder.mode(ofFile: path) == 0o600)
        try SecretFile.replace(path, [4])
        #expect(TemporaryFolder.mode(ofFile: path) == 0o600)
        #expect(try SecretFile.read(path, bytesMax: 1) == [4])
        #expect(names == ["secret"])
    }

    @Test func `a file that is there is not made again`() throws {
        #expect(try SecretFile.create(path, [1]))
        #expect(try !SecretFile.create(path, [2]))
        #expect(try SecretFile.read(path, bytesMax: 10) == [1])
        #expect(names == ["secret"])
    }

    @Test func `a missing secret file is reported as missing, and made once`() throws {
        #expect(try SecretFile.read(path, bytesMax: 10) == nil)
        #expect(try SecretFile.readOrCreate(path, bytesMax: 10) { [7] } == [7])
        #expect(try SecretFile.readOrCreate(path, bytesMax: 10) { [8] } == [7])
    }

    @Test func `callers that make the file at the same time all get the same secret`() async throws {
        let path = path
        let found = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in UInt8(0)..<16 {
                group.addTask { try SecretFile.readOrCreate(path, bytesMax: 1) { [number] } }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        #expect(names == ["secret"])
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o601] as [mode_t])
    func `a file that others may touch is refused`(mode: mode_t) {
        TemporaryFolder.write([1], toFile: path, mode: mode)
        #expect(throws: SecretFile.Failure.permissionsTooOpen(mode: UInt32(mode))) {
            try SecretFile.read(path, bytesMax: 10)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a file that is too long, or not a regular file, is refused`() throws {
        TemporaryFolder.write([1, 2, 3], toFile: path)
        #expect(try SecretFile.read(path, bytesMax: 3) == [1, 2, 3])
        #expect(throws: SecretFile.Failure.notSuchAFile) { try SecretFile.read(path, bytesMax: 2) }
        #expect(throws: SecretFile.Failure.notSuchAFile) { try SecretFile.read(folder.path, bytesMax: 10) }
        // The pipe has no writer, so that waiting would last for ever.
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(throws: SecretFile.Failure.notSuchAFile) { try SecretFile.read(pipe, bytesMax: 10) }
    }

    @Test func `where nothing can be written, the error says which call failed and nothing is left behind`() {
        let nowhere = folder.file("no/secret")
        #expect(throws: SecretFile.Failure.system(operation: "open", errno: ENOENT)) {
            try SecretFile.create(nowhere, [1])
        }
        #expect(throws: SecretFile.Failure.system(operation: "rename", errno: EISDIR)) {
            mkdir(path, 0o700)
            try SecretFile.replace(path, [1])
        }
        #expect(names == ["secret"])
    }
}
