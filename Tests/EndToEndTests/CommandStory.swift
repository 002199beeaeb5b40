import Foundation
import Testing

/// A story told from the command line: a server of its own, and people with their own credentials.
class CommandStory {
    let server: TestServer

    static let password = "correct horse"

    /// - Parameter options: Options of `sona serve`.
    init(_ options: [String] = []) async throws { server = try await TestServer(options) }

    deinit {
        server.process.signal(SIGKILL)
        try? FileManager.default.removeItem(at: server.folder)
    }

    func expect(
        _ ending: Ending, _ status: Int32, _ words: String..., location: Testing.SourceLocation = #_sourceLocation
    ) {
        #expect(ending.status == status, "\(ending)", sourceLocation: location)
        for word in words {
            #expect(
                (ending.output + ending.errors).contains(word), "\(word) in \(ending)", sourceLocation: location)
        }
    }

    func json(_ ending: Ending, _ location: Testing.SourceLocation = #_sourceLocation) throws -> [String: Any] {
        #expect(ending.status == 0, "\(ending)", sourceLocation: location)
        let value = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        return try #require(value as? [String: Any], sourceLocation: location)
    }

    /// The identifier of the signed-in user.
    func identifier(_ person: String) async throws -> String {
        let me = try json(try await server.run(person, "whoami", "--json"))
        return try #require((me["user"] as? [String: Any])?["uid"] as? String)
    }

    func credentials(_ person: String) -> URL {
        URL(fileURLWithPath: server.file("config-\(person)/sona/127.0.0.1_\(server.port).json"))
    }

    /// Makes the stored access token look expired. The next command renews it, and the new one proves nothing.
    func age(_ person: String) throws {
        let file = credentials(person)
        let text = try String(contentsOf: file, encoding: .utf8)
        let aged = text.replacing(/"expires_ms":[0-9]+/, with: "\"expires_ms\":1")
        try #require(aged != text)
        try aged.write(to: file, atomically: true, encoding: .utf8)
    }

    func makeAdmin() async throws {
        let secret = server.file("admin-password")
        try "admin horse battery\n".write(toFile: secret, atomically: true, encoding: .utf8)
        let made = try RunningProgram(
            "sona",
            [
                "user", "create", "--role", "admin", "--data", server.file("data"), "--email", "chief@example.org",
                "--username", "chief-of-all", "--password-file", secret,
            ])
        let ending = await made.ending()
        try #require(ending.status == 0, "\(ending)")
        let login = try await server.run(
            "chief", "login", "--email", "chief@example.org", "--password-file", secret)
        try #require(login.status == 0, "\(login)")
    }
}

/// A grey PNG, made without a library: pixels in stored blocks of deflate (RFC 1950, RFC 1951, PNG §5).
enum PictureFile {
    static func png(side: Int) -> Data {
        let rows = [UInt8]((0..<side).flatMap { row in [0] + (0..<side).map { UInt8(truncatingIfNeeded: $0 * row) } })
        var stream: [UInt8] = [0x78, 0x01, 0x01]
        stream += [UInt8(rows.count & 0xFF), UInt8(rows.count >> 8)]
        stream += [~UInt8(rows.count & 0xFF), ~UInt8(rows.count >> 8)]
        stream += rows + bytes(adler32(rows))
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", bytes(UInt32(side)) + bytes(UInt32(side)) + [8, 0, 0, 0, 0])
        file += chunk("IDAT", stream) + chunk("IEND", [])
        return Data(file)
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bytes(UInt32(data.count)) + body + bytes(crc32(body))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func adler32(_ data: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func crc32(_ data: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in data {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
