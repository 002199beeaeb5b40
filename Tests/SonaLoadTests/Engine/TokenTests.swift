import SonaWire
import Testing

@testable import SonaLoad

struct TokenTests {
    @Test func `a token is old after ten minutes, and when the server says so`() {
        var account = ThrowawayAccount.make()
        #expect(account.isTokenOld)
        account.hold("new")
        #expect(!account.isTokenOld && account.token == "new")
        account.tokenAt = LoadClock.now - min(LoadClock.now, 600_000_000_000)
        #expect(account.isTokenOld == (LoadClock.now >= 600_000_000_000))
        account.tokenAt = nil
        #expect(account.isTokenOld)
    }

    @Test func `a host whose account is known may sign in again, and nobody else`() throws {
        let test = try TestEngine()
        #expect(!test.engine.mayRenew(0) && !test.engine.mayRenew(test.slot))
        var account = ThrowawayAccount.make()
        account.hold("old")
        test.engine.rooms[0].account = account
        #expect(test.engine.mayRenew(0) && test.engine.rooms[0].account?.isTokenOld == true)
        #expect(!test.engine.mayRenew(test.slot))
    }

    @Test func `a host's step goes on with the token of its new sign-in`() throws {
        let test = try TestEngine()
        test.engine.rooms[0].account = .make()
        test.engine.clients[0].phase = .signingIn
        let user = #"{"uid":"h3QmZx7RkP0aVbN5tY2wLs9DfGeC","username":"ada","guest":false}"#
        let grant = #"{"user":\#(user),"access_token":"fresh","expires_in_s":900,"refresh_token":"r"}"#
        // No socket takes the step that follows, which ends the connection; the token stays.
        test.engine.stepDone(0, try JSON.parse(Array(grant.utf8)))
        #expect(test.engine.rooms[0].token == "fresh" && test.engine.rooms[0].account?.isTokenOld == false)
    }
}
