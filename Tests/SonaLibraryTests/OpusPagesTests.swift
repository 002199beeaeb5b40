import Glibc
import SonaSandbox
import SonaTestSupport
import Testing

@testable import SonaLibrary

/// Files of ffmpeg's, and what becomes of them in odd hands.
@Suite struct OpusPagesTests {
    private let folder = TemporaryFolder()

    private func made(_ name: String, channels: Int = 2, _ coding: String = "-c:a libopus") throws -> [UInt8] {
        let path = folder.file(name)
        let tone = Array(repeating: "0.1*sin(2*PI*500*t)", count: channels).joined(separator: "|")
        let arguments =
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "aevalsrc=\(tone):s=48000:d=2"]
            + coding.split(separator: " ").map(String.init) + ["-f", "ogg", path]
        let child = try ChildProcess(try #require(LimitedProgram.find("ffmpeg")), arguments, files: [nil, nil, nil])
        #expect(child.waitsForEnd(until: .now + .seconds(60)) == true)
        #expect(child.end() == nil)
        return try #require(TemporaryFolder.bytes(ofFile: path))
    }

    private func isPlain(_ bytes: [UInt8]) -> Bool {
        let path = folder.file("looked-at")
        TemporaryFolder.write(bytes, toFile: path)
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        return OpusPages.isPlain(file)
    }

    @Test func `one chain of mono or stereo is played as it is`() throws {
        #expect(isPlain(try made("mono", channels: 1)))
        #expect(isPlain(try made("stereo")))
    }

    @Test func `two chains, six channels, and another codec are not`() throws {
        let stereo = try made("stereo")
        #expect(!isPlain(stereo + stereo))
        #expect(!isPlain(try made("surround", channels: 6)))
        #expect(!isPlain(try made("flac", "-c:a flac")))
    }

    @Test func `a file that is cut, has something behind it, or is empty is not`() throws {
        let stereo = try made("stereo")
        #expect(!isPlain(Array(stereo.dropLast())))
        #expect(!isPlain(stereo + [0]))
        #expect(!isPlain([]))
        #expect(!isPlain(Array(stereo.prefix(47))))
    }

    @Test func `no damage makes it read past the end`() throws {
        let stereo = try made("stereo")
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var bytes = stereo
            for _ in 0..<4 { bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255) }
            _ = isPlain(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))))
        }
    }
}
