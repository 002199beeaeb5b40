import SonaWire
import Testing

@testable import SonaLoad

struct LoadPlanTests {
    private func phase(_ name: String, _ seconds: Double, _ change: (inout Scenario.Phase) -> Void = { _ in })
        -> Scenario.Phase
    {
        var phase = Scenario.Phase(name: name, seconds: seconds)
        change(&phase)
        return phase
    }

    private func scenario(seed: UInt64, _ phases: [Scenario.Phase]) -> Scenario {
        var scenario = Scenario()
        scenario.rooms = 4
        scenario.seed = seed
        scenario.phases = phases
        return scenario
    }

    /// Everything at once.
    private func stormy(seed: UInt64) -> Scenario {
        scenario(
            seed: seed,
            [
                phase("ramp", 4) {
                    $0.listeners = 200
                    $0.slow = 10
                    $0.dead = 5
                    $0.joinRate = 100
                },
                phase("storm", 5) {
                    $0.churn = 20
                    $0.chat = 7
                    $0.reactions = 11
                    $0.reconnect = 0.25
                    $0.signUps = 3
                },
                phase("fewer", 2) { $0.listeners = 120 },
            ])
    }

    @Test func `the same seed gives the same plan`() {
        #expect(LoadPlan(stormy(seed: 9), packets: 150) == LoadPlan(stormy(seed: 9), packets: 150))
        #expect(LoadPlan(stormy(seed: 9), packets: 150) != LoadPlan(stormy(seed: 10), packets: 150))
    }

    @Test func `a plan never changes, so that runs of different days can be compared`() {
        let plan = LoadPlan(stormy(seed: 1), packets: 150)
        #expect(plan.events.count == 631)
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for event in plan.events {
            for word in [event.at, UInt64(event.action.rawValue), UInt64(event.who)] {
                digest = (digest ^ word) &* 0x100_0000_01B3
            }
        }
        #expect(digest == 1_756_487_038_524_844_589)
    }

    @Test func `listeners of the first phase without a rate are there before the measurement`() {
        let plan = LoadPlan(scenario(seed: 1, [phase("steady", 3) { $0.listeners = 10 }]), packets: 10)
        #expect(plan.joinedBefore == 10)
        #expect(plan.events.isEmpty)
        #expect(plan.length == 3_000_000_000)
        // In turn, so that rooms are of one size.
        #expect(plan.listeners.map(\.room) == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1])
    }

    @Test func `a rate spreads joins evenly over their time and lengthens the phase if it must`() {
        let plan = LoadPlan(
            scenario(seed: 3, [phase("ramp", 1) { ($0.listeners, $0.joinRate) = (100, 20) }]), packets: 10)
        #expect(plan.joinedBefore == 0)
        #expect(plan.length == 5_000_000_000)
        let joins = plan.events.filter { $0.action == .join }
        #expect(joins.map(\.who) == Array(0..<100))
        for (number, join) in joins.enumerated() {
            #expect((UInt64(number) * 50_000_000...UInt64(number + 1) * 50_000_000).contains(join.at))
        }
    }

    @Test func `a later phase without a rate is a burst at its beginning`() {
        let plan = LoadPlan(
            scenario(seed: 3, [phase("quiet", 2) { $0.listeners = 1 }, phase("burst", 2) { $0.listeners = 51 }]),
            packets: 10)
        #expect(plan.events.count { $0.action == .join && $0.at == 2_000_000_000 } == 50)
    }

    @Test func `a listener that leaves by churn is replaced at the same moment in the same room`() {
        let plan = LoadPlan(stormy(seed: 4), packets: 150)
        let leaves = plan.events.indices.filter {
            plan.events[$0].action == .leave && plan.events[$0].at < plan.stretches[1].end
        }
        #expect(leaves.count == 100)
        for index in leaves {
            let (leave, join) = (plan.events[index], plan.events[index + 1])
            #expect(join.action == .join && join.at == leave.at)
            #expect(plan.listeners[join.who].room == plan.listeners[leave.who].room)
        }
    }

    @Test func `nobody leaves twice, or before they came, or does anything after they left`() {
        let plan = LoadPlan(stormy(seed: 5), packets: 150)
        var joined: [Int: UInt64] = [:]
        var left: Set<Int> = []
        for who in 0..<plan.joinedBefore { joined[who] = 0 }
        for event in plan.events {
            switch event.action {
            case .join:
                #expect(joined[event.who] == nil)
                joined[event.who] = event.at
            case .leave:
                #expect(joined[event.who].map { $0 <= event.at } == true && left.insert(event.who).inserted)
            case .chat, .react, .cut:
                #expect(joined[event.who].map { $0 <= event.at } == true && !left.contains(event.who))
            case .signUp: break
            }
        }
        #expect(joined.count - left.count == 120)
    }

    @Test func `a plan has the requested slow and dead readers, and they stay out of storms`() {
        let plan = LoadPlan(stormy(seed: 6), packets: 150)
        #expect(plan.listeners.count { $0.reader == .slow } == 10)
        #expect(plan.listeners.count { $0.reader == .dead } == 5)
        for event in plan.events where [.chat, .react, .cut].contains(event.action) {
            #expect(plan.listeners[event.who].reader == .ordinary)
        }
        // A quarter of the 185 who read as they should.
        #expect(plan.events.count { $0.action == .cut } == 46)
    }

    @Test func `hosts begin apart, within one packet's time`() {
        let plan = LoadPlan(stormy(seed: 7), packets: 150)
        #expect(plan.hosts.count == 4)
        #expect(Set(plan.hosts.map(\.phase)).count == 4)
        #expect(plan.hosts.allSatisfy { $0.phase < 20_000_000 && 0..<150 ~= $0.firstPacket })
    }
}
