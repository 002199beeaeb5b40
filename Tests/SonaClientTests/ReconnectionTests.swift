import SonaBase
import SonaClient
import SonaTestSupport
import SonaWire
import Testing

@Suite struct ReconnectionTests {
    private static let cut = ClientError(.closed(code: nil, reason: ""), "")

    /// Delays of the first attempts, the server being sought for as long as they take.
    private func delays(_ plan: inout ReconnectPlan, _ count: Int, seed: UInt64 = 7) -> [Duration] {
        var generator = SeededGenerator(seed: seed)
        var sought = Duration.zero
        return (0..<count).map { _ in
            let delay = plan.next(sought: sought, using: &generator).delay
            sought += delay
            return delay
        }
    }

    @Test func `a connection that was cut is tried at once and in short steps for a second`() {
        var plan = ReconnectPlan()
        plan.begin(after: Self.cut, lasted: .seconds(5), draining: nil)
        let delays = delays(&plan, 60)
        #expect(delays[0] == .zero)
        let hasty = delays.dropFirst().prefix { $0 <= .milliseconds(150) }
        #expect((6...21).contains(hasty.count) && hasty.allSatisfy { $0 >= .milliseconds(50) })
        // Then at least once a second, until ten are over.
        var sought = Duration.zero
        for delay in delays {
            if sought < .seconds(10) { #expect(delay <= .seconds(1)) }
            sought += delay
        }
        #expect(sought > .seconds(10) && delays.allSatisfy { $0 <= .seconds(10) })
    }

    @Test func `one that never lasted, or was closed with a code, is tried with backoff`() {
        for (error, lasted) in [
            (Self.cut, Duration.milliseconds(999)),
            (ClientError(.closed(code: 4408, reason: ""), ""), .seconds(30)),
        ] {
            for seed in 0..<20 as Range<UInt64> {
                var plan = ReconnectPlan()
                plan.begin(after: error, lasted: lasted, draining: nil)
                let delays = delays(&plan, 8, seed: seed)
                for (number, delay) in delays.enumerated() {
                    #expect(delay <= min(.milliseconds(250) * (1 << number), .seconds(10)), "seed \(seed)")
                }
            }
        }
    }

    @Test func `after a notice the first wait is the one it named`() {
        var plan = ReconnectPlan()
        plan.begin(after: Self.cut, lasted: .seconds(5), draining: .milliseconds(1234))
        #expect(delays(&plan, 2)[0] == .milliseconds(1234))
    }

    @Test func `backoff goes on over connections that do not last a minute, and begins anew after one that does`() {
        var plan = ReconnectPlan()
        let error = ClientError(.closed(code: 1012, reason: ""), "")
        plan.begin(after: error, lasted: .seconds(5), draining: nil)
        _ = delays(&plan, 12)
        var sums: [Duration] = []
        for lasted in [Duration.seconds(59), .seconds(60)] {
            var again = plan
            again.begin(after: error, lasted: lasted, draining: nil)
            sums.append(
                (0..<50).reduce(.zero) { sum, seed in
                    var one = again
                    return sum + delays(&one, 1, seed: UInt64(seed))[0]
                })
        }
        #expect(sums[0] > .seconds(50) && sums[1] < .milliseconds(250) * 50)
    }

    @Test func `steps of an attempt may take longer each time`() {
        var plan = ReconnectPlan()
        var generator = SeededGenerator(seed: 1)
        plan.begin(after: Self.cut, lasted: .seconds(5), draining: nil)
        let timeouts = (0..<5).map { _ in plan.next(sought: .zero, using: &generator).timeout }
        #expect(timeouts == [.seconds(2), .seconds(4), .seconds(8), .seconds(10), .seconds(10)])
    }

    @Test func `a point is where the last event of each kind and the last packet were`() throws {
        let welcome = Welcome(
            session: try #require(SessionID("q3Zk8LmN1pRs5TuVw7Xy2A")), user: nil,
            server: Program(name: "s", version: "1"),
            clockID: 1, serverMicroseconds: 0, resumeToken: "t")
        var point = ResumePoint(welcome)
        #expect(point.request == SessionResume(token: "t"))
        let room = try #require(RoomID("k2Vb7nQx0ZrT5mLp9sWd"))
        let other = try #require(RoomID("k2Vb7nQx0ZrT5mLp9sWe"))
        let event = ServerEvent.unknown(type: "x")
        point.note(.event(event, room: room, seq: 3))
        #expect(point.request?.roomSequence == nil, "of a room it is not in")
        point.entered(try snapshot(room, seq: 40))
        point.note(.event(event, room: room, seq: 41))
        point.note(.event(event, room: room, seq: nil))
        point.note(.event(event, room: other, seq: 90))
        point.note(.event(event, room: nil, seq: 5))
        let header = AudioDown(epoch: 1, sequence: .max, playAtMicroseconds: 0, samples: 960)
        point.note(.audio(AudioPacket(header: header, bytes: [], receivedAtMicroseconds: 0)))
        #expect(
            point.request
                == SessionResume(token: "t", roomSequence: 41, sessionSequence: 5, packetSequence: .max))
        point.entered(try snapshot(other, seq: 2))
        #expect(point.request == SessionResume(token: "t", roomSequence: 2, sessionSequence: 5))
        var bare = welcome
        bare.resumeToken = nil
        #expect(ResumePoint(bare).request == nil, "a server that knows nothing of it is asked for nothing")
    }

    private func snapshot(_ room: RoomID, seq: Int64) throws -> RoomSnapshot {
        let owner = User(uid: try #require(UserID("h3QmZx7RkP0aVbN5tY2wLs9DfGeC")), username: nil, isGuest: false)
        return RoomSnapshot(
            room: Room(
                id: room, settings: RoomSettings(title: "t"), owner: owner, host: nil, hostState: .none, isLive: false,
                listenerCount: 0, createdMilliseconds: 0, track: nil),
            seq: seq, you: RoomSnapshot.Membership(role: .listener), stream: nil,
            playback: Playback(state: .stopped, anchorMicroseconds: 0, positionMicroseconds: 0, revision: 0, epoch: 0))
    }
}
