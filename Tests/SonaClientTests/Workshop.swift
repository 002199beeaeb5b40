import Glibc
import SonaAudio
import SonaClient
import SonaWire
import Testing

/// A folder for one test's files, removed with all that is in it.
final class Workshop: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/sona-client-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template), "No temporary folder could be made.")
        path = String(cString: made)
    }

    deinit { Self.remove(path) }

    private static func remove(_ folder: String) {
        guard let handle = opendir(folder) else { return }
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            if unlink("\(folder)/\(name)") != 0 { remove("\(folder)/\(name)") }
        }
        closedir(handle)
        rmdir(folder)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let stream = try #require(fopen(file(name), "w"))
        defer { fclose(stream) }
        try #require(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
        return file(name)
    }

    func read(_ name: String) throws -> [UInt8] {
        let stream = try #require(fopen(file(name), "r"), "\(file(name)) could not be opened.")
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&part, 1, part.count, stream), count > 0 { bytes += part[..<count] }
        return bytes
    }

    /// The permissions of a file or folder, as in `0o600`.
    func mode(_ path: String) throws -> mode_t {
        var status = stat()
        try #require(stat(path, &status) == 0, "\(path) is not there.")
        return status.st_mode & 0o777
    }

    /// The output of opusinfo for a file of this folder.
    func opusinfo(_ name: String) throws -> String {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, file("opusinfo.log"), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("opusinfo"), strdup(file(name))]
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let status = posix_spawnp(&child, "opusinfo", &actions, nil, arguments, environ)
        try #require(status == 0, "opusinfo could not be started; it comes with opus-tools.")
        var exit: Int32 = 0
        while waitpid(child, &exit, 0) < 0, errno == EINTR {}
        return String(decoding: try read("opusinfo.log"), as: UTF8.self)
    }

    /// A file of several streams, each of `packets` packets of 20 ms.
    func song(
        _ name: String, streams: [(packets: Int, preSkip: Int, trim: Int)], channels: Int = 2, title: String = "Song"
    ) throws -> String {
        var bytes: [UInt8] = []
        for (index, stream) in streams.enumerated() {
            var writer = OggOpusWriter(
                head: OpusHead(channels: channels, preSkip: stream.preSkip),
                tags: OpusTags(vendor: "test", comments: ["TITLE=\(title) \(index)", "ARTIST=Ada"]),
                serial: UInt32(index + 1))
            bytes += writer.headerPages()
            for (number, packet) in try Self.packets(stream.packets, channels: channels).enumerated() {
                let isLast = number == stream.packets - 1
                bytes += try writer.write(packet: packet, samples: isLast ? 960 - stream.trim : 960, flush: false)
            }
            bytes += writer.finish()
        }
        return try write(bytes, to: name)
    }

    /// Packets of 20 ms that hold a tone rising from packet to packet.
    static func packets(_ count: Int, channels: Int = 2) throws -> [[UInt8]] {
        let encoder = try OpusEncoder(channels: channels, bitrate: 64_000, complexity: 0)
        var phase = 0.0
        return try (0..<count).map { number in
            var pcm: [Float] = []
            for _ in 0..<960 {
                phase += (300 + 10 * Double(number)) / 48_000 * 2 * .pi
                pcm += [Float](repeating: Float(sin(phase)) * 0.4, count: channels)
            }
            return try encoder.encode(pcm)
        }
    }
}
