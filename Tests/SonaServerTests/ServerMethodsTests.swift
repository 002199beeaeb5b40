import SonaWire
import Testing

@testable import SonaServer

struct ServerMethodsTests {
    @Test(arguments: [nil, "https://sona.example/policy"])
    func `anybody may read the server's name, version, features and policy address`(policy: String?) async throws {
        var configuration = ServerConfiguration(dataFolder: "nowhere")
        configuration.policyAddress = policy
        let methods = ServerMethods(live: LiveConfiguration(configuration))
        let info = try await methods.info(ServerInfo(), Caller())
        #expect(info.name == "sona" && info.version == ServerVersion.number && info.policyURL == policy)
        #expect(info.features.contains("directory") && Set(info.features).count == info.features.count)
    }
}
