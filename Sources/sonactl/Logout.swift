internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Logout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Signs out, here and at the server.")

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let signIn = try global.signIn()
        guard let store = signIn.store, let kept = try readable(store, signIn.address) else {
            Console.say("Nobody is signed in at \(signIn.address).")
            return
        }
        // Forgotten here in any case: that is what a person at a borrowed machine needs.
        try store.remove(signIn.address)
        do {
            let client = try await signIn.anonymous()
            _ = try await client.call(AuthSignOut(refreshToken: kept.refreshToken))
            await client.close()
        } catch {
            throw Failure(error.exitCode, "Signed out here, but the server could not be told. \(error.description)")
        }
        Console.say("Signed out at \(signIn.address).")
    }

    /// What is kept, or nil; a damaged file is removed, since that is what was asked for.
    private func readable(_ store: CredentialStore, _ address: ServerAddress) throws -> Credentials? {
        do throws(CredentialError) {
            return try store.read(address)
        } catch {
            guard error.code == .malformed else { throw error }
            try store.remove(address)
            return nil
        }
    }
}
