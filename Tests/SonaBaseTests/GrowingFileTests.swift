import Glibc
import SonaBase
import SonaTestSupport
import Testing

struct GrowingFileTests {
    private let folder = TemporaryFolder()

    private func made() -> (file: GrowingFile, writing: Int32) {
        let writing = open(folder.file("growing"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        return (GrowingFile(taking: open(folder.file("growing"), O_RDONLY | O_CLOEXEC)), writing)
    }

    @Test func `a reader gets what is there, waits at its end, and is called when there is more`() throws {
        let (file, writing) = made()
        defer { close(writing) }
        #expect(file.read(at: 0, count: 10) == .notYet)
        let calls = Monitor(0)
        file.whenGrown(past: 0) { calls.withLock { $0 += 1 } }
        try WholeFile.write([1, 2, 3], to: writing)
        #expect(file.read(at: 0, count: 10) == .notYet, "nobody said that it grew")
        file.grew()
        #expect(calls.withLock { $0 } == 1)
        #expect(file.read(at: 0, count: 2) == .bytes([1, 2]) && file.read(at: 2, count: 10) == .bytes([3]))
        file.grew()
        #expect(calls.withLock { $0 } == 1, "called once only")
        file.whenGrown(past: 1) { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 2, "there is more already")
        file.whenGrown(past: 3) { calls.withLock { $0 += 1 } }
        file.end(.whole)
        #expect(calls.withLock { $0 } == 3)
        #expect(file.read(at: 3, count: 1) == .end)
    }

    @Test func `after a failure nothing is read, and the first end counts`() throws {
        let (file, writing) = made()
        defer { close(writing) }
        try WholeFile.write([1, 2, 3], to: writing)
        file.end(.failed)
        file.end(.whole)
        #expect(file.end == .failed && file.read(at: 0, count: 1) == .failed)
    }
}
