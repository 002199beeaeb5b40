internal import SonaBase

/// Everything that is going to happen, drawn from the seed before it begins: the same scenario gives the same plan.
///
/// Listeners are numbered in the order of their joins, and a number is never used again: who comes in the place of one
/// who left is another. What the plan cannot know, as when a server closes a connection, changes nothing of it.
package struct LoadPlan: Equatable, Sendable {
    /// How a listener reads incoming data.
    package enum Reader: UInt8, Sendable, CaseIterable {
        case ordinary, slow, dead
    }

    package struct Listener: Equatable, Sendable {
        package var room: Int
        package var reader: Reader
    }

    package enum Action: UInt8, Sendable {
        case join, leave, cut, chat, react, signUp
    }

    /// One thing that happens.
    package struct Event: Equatable, Sendable {
        /// Nanoseconds from the beginning of the measurement.
        package var at: UInt64
        package var action: Action
        /// A listener's number; with `signUp` a count.
        package var who: Int
    }

    package struct Stretch: Equatable, Sendable {
        package var name: String
        /// Nanoseconds from the beginning of the measurement.
        package var begin: UInt64
        package var end: UInt64
    }

    package struct Host: Equatable, Sendable {
        /// When its first packet is due, ns after those of a host without delay: less than the time between two packets.
        package var phase: UInt64
        /// The packet of the bank it begins with.
        package var firstPacket: Int
    }

    package private(set) var listeners: [Listener] = []
    /// These join before the measurement begins.
    package private(set) var joinedBefore = 0
    /// The events, ordered by time.
    package private(set) var events: [Event] = []
    package private(set) var stretches: [Stretch] = []
    package private(set) var hosts: [Host] = []
    package private(set) var signUps = 0

    /// Time from the beginning of the measurement to its end, ns.
    package var length: UInt64 { stretches.last?.end ?? 0 }

    /// - Parameters:
    ///   - scenario: One that passed its `check`.
    ///   - packets: How many there are in the bank.
    package init(_ scenario: Scenario, packets: Int) {
        var draft = Draft(seed: scenario.seed, rooms: scenario.rooms)
        let period = UInt64(scenario.frameMilliseconds * 1e6)
        hosts = (0..<scenario.rooms).map { _ in
            Host(
                phase: UInt64(draft.generator.fraction() * Double(period)),
                firstPacket: draft.generator.index(max(1, packets)))
        }
        for (number, phase) in scenario.phases.enumerated() {
            let begin = draft.now
            draft.begin(phase, isFirst: number == 0)
            stretches.append(Stretch(name: phase.name, begin: begin, end: draft.now))
        }
        listeners = draft.listeners
        joinedBefore = draft.joinedBefore
        signUps = draft.signUps
        // The order is stable, so that a replaced listener leaves before its replacement comes.
        events = draft.events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element)
    }

    /// The plan while it is drawn.
    private struct Draft {
        var generator: SeededGenerator
        let rooms: Int
        var now: UInt64 = 0
        var listeners: [Listener] = []
        var joinedBefore = 0
        var events: [Event] = []
        var signUps = 0
        /// The listeners that are present, by kind of reader.
        private var present: [[Int]] = [[], [], []]
        /// Time of joining, by listener; 0: before the measurement.
        private var joinsAt: [UInt64] = []
        private var nextRoom = 0

        init(seed: UInt64, rooms: Int) {
            generator = SeededGenerator(seed: seed)
            self.rooms = rooms
        }

        private var presentCount: Int { present.reduce(0) { $0 + $1.count } }

        mutating func begin(_ phase: Scenario.Phase, isFirst: Bool) {
            let slow = phase.slow ?? present[1].count
            let dead = phase.dead ?? present[2].count
            let wanted = [(phase.listeners ?? presentCount) - slow - dead, slow, dead]
            var readers: [Reader] = []
            for reader in Reader.allCases {
                let index = Int(reader.rawValue)
                while present[index].count > wanted[index], remove(reader, at: now) != nil {}
                readers += [Reader](repeating: reader, count: wanted[index] - present[index].count)
            }
            // Mixed, so that each room gets its share of slow and dead ones.
            for index in readers.indices.reversed() where index > 0 {
                readers.swapAt(index, generator.index(index + 1))
            }
            var length = nanoseconds(phase.seconds)
            if isFirst && phase.joinRate == nil {
                for reader in readers { add(reader, to: takeRoom(), at: nil) }
                joinedBefore = readers.count
            } else if let rate = phase.joinRate, rate > 0 {
                for (number, reader) in readers.enumerated() {
                    add(reader, to: takeRoom(), at: now + nanoseconds((Double(number) + generator.fraction()) / rate))
                }
                length = max(length, nanoseconds(Double(readers.count) / rate))
            } else {
                for reader in readers { add(reader, to: takeRoom(), at: now) }
            }
            cut(phase.reconnect)
            stir(phase, for: length)
            now += length
        }

        private mutating func cut(_ share: Double) {
            var those = present[0]
            for index in those.indices.reversed() where index > 0 { those.swapAt(index, generator.index(index + 1)) }
            for who in those.prefix(Int((share * Double(those.count)).rounded())) {
                events.append(Event(at: now, action: .cut, who: who))
            }
        }

        /// Each kind of thing happens at its own even rate, each time somewhere within its own slot.
        private mutating func stir(_ phase: Scenario.Phase, for length: UInt64) {
            var moments: [(at: UInt64, action: Action)] = []
            let rates: [(Double, Action)] = [
                (phase.churn, .leave), (phase.chat, .chat), (phase.reactions, .react), (phase.signUps, .signUp),
            ]
            for (rate, action) in rates where rate > 0 {
                let count = Int((Double(length) / 1e9 * rate).rounded())
                for number in 0..<count {
                    moments.append((now + nanoseconds((Double(number) + generator.fraction()) / rate), action))
                }
            }
            moments.sort { ($0.at, $0.action.rawValue) < ($1.at, $1.action.rawValue) }
            for (at, action) in moments where at < now + length {
                switch action {
                case .signUp:
                    events.append(Event(at: at, action: .signUp, who: signUps))
                    signUps += 1
                case .leave:
                    guard let room = remove(.ordinary, at: at) else { continue }
                    add(.ordinary, to: room, at: at)
                default:
                    guard let place = pick(.ordinary, at: at) else { continue }
                    events.append(Event(at: at, action: action, who: present[0][place]))
                }
            }
        }

        private mutating func takeRoom() -> Int {
            defer { nextRoom = (nextRoom + 1) % rooms }
            return nextRoom
        }

        private mutating func add(_ reader: Reader, to room: Int, at time: UInt64?) {
            if let time { events.append(Event(at: time, action: .join, who: listeners.count)) }
            present[Int(reader.rawValue)].append(listeners.count)
            joinsAt.append(time ?? 0)
            listeners.append(Listener(room: room, reader: reader))
        }

        /// One of those that have joined by then, unless nearly all are still to come.
        private mutating func pick(_ reader: Reader, at time: UInt64) -> Int? {
            let those = present[Int(reader.rawValue)]
            for _ in 0..<(those.isEmpty ? 0 : 32) {
                let place = generator.index(those.count)
                if joinsAt[those[place]] <= time { return place }
            }
            return nil
        }

        /// - Returns: The room in which somebody is missing now; nil if there was nobody.
        @discardableResult
        private mutating func remove(_ reader: Reader, at time: UInt64) -> Int? {
            let kind = Int(reader.rawValue)
            guard let place = pick(reader, at: time) else { return nil }
            let who = present[kind][place]
            present[kind].swapAt(place, present[kind].count - 1)
            present[kind].removeLast()
            events.append(Event(at: time, action: .leave, who: who))
            return listeners[who].room
        }
    }
}

/// The nanoseconds of a time in seconds, which is not negative.
func nanoseconds(_ seconds: Double) -> UInt64 { UInt64((seconds * 1e9).rounded()) }
