import Glibc
import SonaBase
import SonaTestSupport
import Testing

struct WholeFileTests {
    private let folder = TemporaryFolder()

    private func file(_ content: [UInt8], _ name: String = "file") -> String {
        let path = folder.file(name)
        TemporaryFolder.write(content, toFile: path)
        return path
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func `a file is read whole, up to the limit`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = file(bytes)
        #expect(try WholeFile.read(path) == bytes)
        #expect(try WholeFile.read(path, bytesMax: count) == bytes)
        if count > 0 {
            #expect(throws: WholeFile.Failure.tooLong) { try WholeFile.read(path, bytesMax: count - 1) }
        }
    }

    @Test func `a file without a size is read whole, too`() throws {
        let status = try WholeFile.read("/proc/self/status")
        #expect(String(decoding: status, as: UTF8.self).contains("VmRSS"))
    }

    @Test func `a failed read names the call that failed and the reason`() {
        #expect(throws: WholeFile.Failure.system(operation: "open", errno: ENOENT)) {
            try WholeFile.read(folder.file("none"))
        }
        #expect(throws: WholeFile.Failure.system(operation: "read", errno: EISDIR)) { try WholeFile.read(folder.path) }
        #expect(throws: WholeFile.Failure.system(operation: "read", errno: EBADF)) {
            try WholeFile.read(descriptor: -1)
        }
        #expect("\(WholeFile.Failure.system(operation: "open", errno: ENOENT))" == "No such file or directory")
    }

    @Test(.timeLimit(.minutes(1))) func `a pipe is waited for, or empty, as asked`() throws {
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(try WholeFile.read(pipe, waits: false) == [])
        let started = WorkerThread.start("writer") {
            let end = open(pipe, O_WRONLY | O_CLOEXEC)
            for byte: UInt8 in 1...3 {
                try? WholeFile.write([byte], to: end)
                WorkerPause.short()
            }
            close(end)
        }
        #expect(started)
        #expect(try WholeFile.read(pipe) == [1, 2, 3])
    }

    @Test(arguments: [
        ("", ""), ("\n", ""), ("one", "one"), ("one\n", "one"), ("one\r\ntwo\n", "one"), ("\r\n", ""),
        ("a\rb\n", "a\rb"),
        ("12345678", "12345678"), ("12345678\r\nrest", "12345678"),
    ])
    func `the first line has no end`(content: String, line: String) throws {
        #expect(try WholeFile.firstLine(file(Array(content.utf8)), bytesMax: 8) == Array(line.utf8))
    }

    @Test func `a first line beyond the limit is refused, with an end or without`() {
        for content in ["123456789", "123456789\nrest", String(repeating: "x", count: 100_000)] {
            let path = file(Array(content.utf8))
            #expect(throws: WholeFile.Failure.tooLong) { try WholeFile.firstLine(path, bytesMax: 8) }
        }
        #expect(throws: WholeFile.Failure.system(operation: "open", errno: ENOENT)) {
            try WholeFile.firstLine(folder.file("none"), bytesMax: 8)
        }
    }

    /// Goal: a write that the pipe takes in parts is finished. Way: more than a pipe holds, to a slow reader.
    @Test(.timeLimit(.minutes(1))) func `all is written, however little is taken at once`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let started = WorkerThread.start("writer") {
            try? WholeFile.write(bytes, to: writing)
            close(writing)
        }
        #expect(started)
        #expect(try WholeFile.read(descriptor: reading) == bytes)
        close(reading)
    }

    @Test func `a full disk is an error`() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        #expect(throws: WholeFile.Failure.system(operation: "write", errno: ENOSPC)) {
            try WholeFile.write([1], to: full)
        }
        try WholeFile.write([], to: full)
    }
}
