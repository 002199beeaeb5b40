import Foundation
import Testing

/// Each mistake gets one clear sentence on standard error and its exit code, and leaves nothing half done.
@Suite(.serialized) struct RefusalTests {
    private func expect(
        _ ending: Ending, _ status: Int32, _ word: String, _ location: Testing.SourceLocation = #_sourceLocation
    ) {
        #expect(ending.status == status, "\(ending)", sourceLocation: location)
        let lines = ending.errors.split(separator: "\n")
        #expect(lines.count == 1, "one sentence: \(ending.errors)", sourceLocation: location)
        #expect(ending.errors.lowercased().contains(word.lowercased()), "\(ending.errors)", sourceLocation: location)
        #expect(ending.output.isEmpty, "nothing on standard output", sourceLocation: location)
    }

    @Test func `files that hold no sound, or are damaged, are refused before the server is contacted`() async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        let jpeg = server.file("picture.opus")
        try Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [UInt8](repeating: 7, count: 4000))
            .write(to: URL(fileURLWithPath: jpeg))
        let music = server.file("music.opus")
        try await Sources.opus(music, seconds: 2)
        var damaged = try Data(contentsOf: URL(fileURLWithPath: music))
        damaged[damaged.count / 2] ^= 0x10
        try damaged.write(to: URL(fileURLWithPath: server.file("damaged.opus")))

        expect(try await server.run("ada", "broadcast", "/dev/null"), 65, "/dev/null")
        expect(try await server.run("ada", "broadcast", jpeg), 65, "no sound file")
        expect(try await server.run("ada", "broadcast", server.file("damaged.opus")), 65, "checksum")
        expect(try await server.run("ada", "broadcast", server.file("missing.opus")), 66, "missing.opus")
        let rooms = try await server.run("ada", "rooms", "list", "--mine", "--json")
        #expect(rooms.output.contains(#""rooms":[]"#), "no room was made: \(rooms.output)")
    }

    @Test func `a missing server and a missing room are told apart`() async throws {
        let server = try await TestServer()
        let nobody = try RunningProgram(
            "sonactl", ["listen", "@ada", "--server", "http://127.0.0.1:1"], environment: server.environment("bob"))
        expect(await nobody.ending(), 69, "127.0.0.1:1")
        let unresolved = try RunningProgram(
            "sonactl", ["rooms", "list", "--server", "http://nowhere.invalid:8337"],
            environment: server.environment("bob"))
        expect(await unresolved.ending(), 69, "nowhere.invalid")
        expect(try await server.run("bob", "listen", "AAAAAAAAAAAAAAAAAAAA"), 66, "room")
        expect(try await server.run("bob", "listen", "@nobody"), 66, "room")
        expect(try await server.run("bob", "broadcast", "/dev/null"), 65, "/dev/null")
        let bad = try await server.run("bob", "listen")
        #expect(bad.status == 64)
    }

    @Test func `a port in use, a folder in use and one that cannot be written are refused`() async throws {
        let server = try await TestServer()
        let folder = try Programs.temporaryFolder().appendingPathComponent("data")
        let port = try RunningProgram("sona", ["serve", "--data", folder.path, "--listen", "127.0.0.1:\(server.port)"])
        expect(await port.ending(), 75, server.port)
        #expect(!FileManager.default.fileExists(atPath: folder.path), "no data folder was made")
        let shared = try RunningProgram("sona", ["serve", "--data", server.file("data"), "--listen", "127.0.0.1:0"])
        expect(await shared.ending(), 75, "in use")
        for place in ["/proc/sona", "/dev/null/sona"] {
            let unwritable = try RunningProgram("sona", ["serve", "--data", place, "--listen", "127.0.0.1:0"])
            expect(await unwritable.ending(), 74, place)
        }
    }

    @Test func `a damaged database is reported and left unchanged`() async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        #expect(await server.stop().status == 0)
        let database = URL(fileURLWithPath: server.file("data/sona.sqlite"))
        let whole = try Data(contentsOf: database)
        for offset in [0, 4096 * 2 + 8] {
            var damaged = whole
            for index in offset..<offset + 600 { damaged[index] = UInt8(truncatingIfNeeded: index &* 31) }
            try damaged.write(to: database)
            let again = try RunningProgram("sona", ["serve", "--data", server.file("data"), "--listen", "127.0.0.1:0"])
            expect(await again.ending(), 65, "sona.sqlite")
            #expect(try Data(contentsOf: database) == damaged)
        }
        try whole.write(to: database)
        let repaired = try await TestServer(folder: server.folder)
        #expect(
            try await repaired.run("ada", "login", "--email", "ada@example.org", "--password", "correct horse").status
                == 0)
    }

    @Test func `a wrong password and a name that is taken are refused with 77 and 1`() async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        let wrong = try await server.run("bob", "login", "--email", "ada@example.org", "--password", "wrong horse")
        expect(wrong, 77, "password")
        let taken = try await server.run(
            "bob", "signup", "--email", "bob@example.org", "--username", "ADA", "--password", "correct horse")
        #expect(taken.status != 0 && taken.errors.contains("username"))
    }
}
