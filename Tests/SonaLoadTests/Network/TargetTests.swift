import SonaClient
import Testing

@testable import SonaLoad

struct TargetTests {
    private func code(_ server: String, mayBeRemote: Bool) throws -> LoadError.Code? {
        let address = try ServerAddress(server)
        do {
            _ = try Target(address, mayBeRemote: mayBeRemote)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: ["127.0.0.1:8337", "http://127.9.9.9:80", "[::1]:8337", "localhost:8337"])
    func `this machine may be loaded`(server: String) throws { #expect(try code(server, mayBeRemote: false) == nil) }

    // Addresses for documentation (RFC 5737, RFC 3849): nobody is there, and nobody is asked.
    @Test(arguments: ["http://192.0.2.1:80", "https://[2001:db8::1]", "128.0.0.1:80", "[::2]:80"])
    func `another machine is refused, unless its owner says so`(server: String) throws {
        #expect(try code(server, mayBeRemote: false) == .remoteRefused)
        #expect(try code(server, mayBeRemote: true) == nil)
    }

    @Test func `a refusal names its code and the way on`() {
        let error = LoadError(.remoteRefused, "No.")
        #expect(error.exitCode == 64 && "\(error)" == "No. (load.remote_refused)")
        #expect(LoadError(.refused, "Busy.", serverCode: "auth.busy").description == "Busy. (auth.busy)")
    }
}
