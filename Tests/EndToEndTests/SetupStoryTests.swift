import Foundation
import FoundationNetworking
import SonaTestSupport
import Testing

/// The first administrator: the link in the log, `sona setup-link`, and what comes after; the figures that they see.
@Suite(.serialized) struct SetupStoryTests {
    private func link(_ server: TestServer) async throws -> String {
        let deadline = Date().addingTimeInterval(20)
        while Date() < deadline {
            if let found = server.process.errors.firstMatch(of: /Set up this server: (http:\/\/[^"\s]+)/) {
                return String(found.1)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw ProgramFault(description: "no link: \(server.process.errors)")
    }

    private func code(_ link: String) -> String { String(link.split(separator: "#").last ?? "") }

    private func ask(_ server: TestServer, _ type: String, _ data: String, _ token: String? = nil) async throws
        -> [String: Any]
    {
        var request = URLRequest(url: URL(string: "\(server.address)/v1/rpc/\(type)")!)
        request.httpMethod = "POST"
        request.httpBody = Data(data.utf8)
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "authorization") }
        let (body, _) = try await URLSession.shared.data(for: request)
        return try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    }

    private func errorCode(_ reply: [String: Any]) -> String? { (reply["error"] as? [String: Any])?["code"] as? String }

    private func account(_ code: String, _ name: String) -> String {
        #"{"code":"\#(code)","email":"\#(name)@example.org","password":"correct horse","username":"\#(name)"}"#
    }

    @Test func `the link in the log makes the first administrator, and nobody after them`() async throws {
        let server = try await TestServer()
        let first = try await link(server)
        #expect(first.hasPrefix("\(server.address)/setup#") && code(first).count == 43)
        #expect(errorCode(try await ask(server, "setup.state", #"{"code":"wrong"}"#)) == "auth.code_invalid")
        let printed = try await RunningProgram("sona", ["setup-link", "--data", server.file("data")]).ending()
        #expect(printed.status == 0 && printed.output.hasPrefix("\(server.address)/setup#"))
        let second = code(printed.output.trimmingCharacters(in: .whitespacesAndNewlines))
        // The link before is good no longer.
        #expect(errorCode(try await ask(server, "setup.finish", account(code(first), "ada"))) == "auth.code_invalid")
        let state = try await ask(server, "setup.state", #"{"code":"\#(second)"}"#)
        let expires = try #require((state["data"] as? [String: Any])?["expires_ms"] as? Int)
        #expect(abs(Double(expires) / 1_000 - Date().timeIntervalSince1970 - 86_400) < 60)

        async let one = ask(server, "setup.finish", account(second, "ada"))
        async let two = ask(server, "setup.finish", account(second, "bob"))
        let replies = [try await one, try await two]
        #expect(replies.compactMap(errorCode) == ["setup.done"])
        let grant = try #require(replies.compactMap { $0["data"] as? [String: Any] }.first)
        let token = try #require(grant["access_token"] as? String)
        let me = try #require(try await ask(server, "user.me", "{}", token)["data"] as? [String: Any])
        #expect(me["role"] as? String == "admin" && me["email_confirmed"] as? Bool == true)

        let late = try await RunningProgram("sona", ["setup-link", "--data", server.file("data")]).ending()
        #expect(late.status == 1 && late.errors.contains("administrator already"))
        #expect(await server.stop().status == 0)
        let again = try await TestServer(folder: server.folder)
        _ = try await RunningProgram("sona", ["user", "list", "--data", again.file("data")]).ending()
        #expect(!again.process.errors.contains("Set up this server"))
        #expect(await again.stop().status == 0)
    }

    @Test func `a server that is being worked on or takes no accounts is set up all the same`() async throws {
        let server = try await TestServer(["--registration", "closed", "--maintenance"])
        let reply = try await ask(server, "setup.finish", account(code(try await link(server)), "ada"))
        #expect(errorCode(reply) == nil && reply["data"] != nil)
        #expect(await server.stop().status == 0)
    }

    @Test func `administrators see the figures of the last hour, and nobody else`() async throws {
        let story = try await CommandStory([])
        let server = story.server
        try await server.signUp("ada")
        try await server.signUp("bob")
        let promoted = try await RunningProgram(
            "sona", ["user", "set-role", "@ada", "admin", "--data", server.file("data")]
        ).ending()
        #expect(promoted.status == 0)
        story.expect(try await server.run("bob", "server", "history"), 77, "auth.forbidden")
        // The first sample comes ten seconds after the start.
        let deadline = Date().addingTimeInterval(40)
        var found: Ending
        repeat {
            try await Task.sleep(for: .milliseconds(500))
            found = try await server.run("ada", "server", "history")
        } while Date() < deadline && !found.output.contains("resident_bytes")
        story.expect(found, 0, "listeners", "MiB", "processor", "requests")
        let json = try await server.run("ada", "server", "history", "--json")
        let data = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let times = try #require(data["at_ms"] as? [Int])
        let series = try #require(data["series"] as? [[String: Any]])
        #expect(!times.isEmpty && series.count > 10)
        #expect(series.allSatisfy { ($0["values"] as? [Int])?.count == times.count })
        let memory = series.first { $0["name"] as? String == "resident_bytes" }?["values"] as? [Int]
        #expect((memory?.last ?? 0) > 10_000_000)
        #expect(await server.stop().status == 0)
    }
}
