internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Logout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Signs out, here and at the server.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Sign out on every other machine and in every browser, too.") var everywhere = false

    func run() async throws {
        let signIn = try global.signIn()
        if everywhere { try await leaveEverywhere(signIn) } else { try await leave(signIn) }
    }

    private func leave(_ signIn: SignIn) async throws {
        // The credentials are forgotten here in any case, as a person at a borrowed machine needs.
        guard let kept = try await signIn.forget() else {
            return Console.say("Nobody is signed in at \(signIn.address).")
        }
        if let refreshToken = kept.refreshToken {
            do {
                let client = try await signIn.anonymous()
                _ = try await client.call(AuthSignOut(refreshToken: refreshToken))
                await client.close()
            } catch {
                throw Failure(
                    error.exitCode,
                    Console.printable("Signed out here, but the server could not be told. \(error.description)"))
            }
        }
        Console.say("Signed out at \(signIn.address).")
    }

    /// The server first: who has forgotten the sign-in cannot end the others.
    private func leaveEverywhere(_ signIn: SignIn) async throws {
        let user = try await signIn.open(.account).closing { client in
            let user = try await client.call(UserMe()).user
            _ = try await client.call(AuthSignOutEverywhere())
            return user
        }
        try await signIn.forget(user: user.uid)
        Console.say("Signed out at \(signIn.address), here and everywhere else.")
    }
}
