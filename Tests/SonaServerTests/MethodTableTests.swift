import SonaModel
import SonaWire
import Testing

@testable import SonaServer

/// The tables of methods, compared with the catalogue of the protocol.
struct MethodTableTests {
    private static let durable = Set(Methods.table.keys)
    private static let live = Set(Session.liveMethods.keys)

    /// Answered by the session itself, before it is signed in.
    private static let greeting: Set<String> = [Hello.type]
    /// Answered on the loop for the room that the session is in, and off it for other rooms.
    private static let both: Set<String> = [PlaybackGet.type]

    @Test func `every request of the catalogue is answered on exactly one plane`() {
        let catalogue = Set(Catalogue.requests.map { $0.type })
        #expect(Self.durable.union(Self.live).union(Self.greeting) == catalogue)
        #expect(Self.durable.intersection(Self.live) == Self.both)
        #expect(Self.greeting.isDisjoint(with: Self.durable.union(Self.live)))
    }

    @Test func `every request that needs a connection is refused over HTTP, and no other`() throws {
        for request in Catalogue.requests where !Self.greeting.contains(request.type) {
            // HTTP serves the durable plane only.
            let isServed = Methods.table[request.type].map { !$0.needsConnection } ?? false
            #expect(isServed == !request.needsConnection, "\(request.type)")
        }
    }

    /// Requests that need no permission, by what decides in its place.
    private static let withoutPermission: Set<String> = [
        // Every sender may send these.
        "hello", "user.me",
        // The visibility of rooms and people, and the standing in a room.
        "room.get", "room.list", "room.unwatch", "room.leave", "room.shift", "listening.report", "playback.get",
        "playback.play", "playback.pause", "playback.seek", "listen.addresses",
        // The seat in a room.
        "host.start", "host.pause", "host.track", "host.stop", "host.reject", "host.record",
    ]

    @Test func `every request of an account names its permission, or is known to need none`() {
        let without = Set(Catalogue.requests.filter { $0.permission == nil }.map { $0.type })
        let open = Set(Methods.table.values.filter { !$0.needsAccount }.map(\.type))
        #expect(without.subtracting(open) == Self.withoutPermission)
        #expect(open.isSubset(of: without), "a permission is something that an account has")
    }

    /// An account of each kind that lacks some permission.
    private static let askers: [Accounts.Account] = [
        Accounts.Account(uid: UserID("guest-uid")!, username: nil, isGuest: true),
        Accounts.Account(uid: UserID("user-uid")!, username: Username("somebody"), isGuest: false),
    ]

    @Test(arguments: askers)
    func `a missing permission is refused before the request is carried out`(asker: Accounts.Account) {
        for request in Catalogue.requests {
            guard let permission = request.permission, !asker.permissions.contains(permission) else { continue }
            let refusal = refusal(of: request, asker)
            let expected: ErrorCode = asker.isGuest ? .authAccountRequired : .authForbidden
            // Without fields most requests are invalid, and that error comes first.
            #expect(refusal?.code == expected || refusal?.code == .requestInvalid, "\(request.type)")
            if refusal?.code == expected { #expect(refusal?.permission == permission.rawValue) }
        }
    }

    private func refusal(of request: any WireRequest.Type, _ asker: Accounts.Account) -> WireError? {
        func ask<Message: WireRequest>(_: Message.Type) -> WireError? {
            do throws(WireError) {
                _ = try Message.admitted(.emptyObject, asker)
                return nil
            } catch { return error }
        }
        return ask(request)
    }
}
