package import SonaWire

/// The plan of a load test: how many hosts play to how many listeners, for how long, and the events meanwhile.
///
/// Phases follow one another. The numbers of listeners in a phase hold until another phase changes them. The rates of
/// events in a phase (churn, chat, reactions, sign-ups) hold within it alone.
package struct Scenario: Equatable, Sendable {
    package var name = "flags"
    /// Each with a host.
    package var rooms = 1
    package var frameMilliseconds = 20.0
    /// kbit/s.
    package var bitrate = 128
    package var delivery = Delivery.party
    /// Seed of every random choice.
    package var seed: UInt64 = 1
    package var phases: [Phase] = []

    /// A stretch of the run.
    package struct Phase: Equatable, Sendable {
        package var name: String
        /// How long it lasts from its beginning; it lasts longer if its joins take longer.
        package var seconds: Double
        /// All of them, over all rooms, slow and dead ones included. Nil: as many as before.
        package var listeners: Int?
        /// Number of listeners that read at half the rate of their room. Nil: as many as before.
        package var slow: Int?
        /// Number of listeners that stop reading once they hear something. Nil: as many as before.
        package var dead: Int?
        /// Joins per second, evenly spread; nil: before the measurement in the first phase, all at once in others.
        package var joinRate: Double?
        /// Listeners per second that leave, each replaced by another at the same moment.
        package var churn = 0.0
        /// Chat messages per second, over all rooms.
        package var chat = 0.0
        /// Reactions per second, over all rooms.
        package var reactions = 0.0
        /// Share of the listeners, 0 to 1, whose connection is cut at the beginning of the phase, and who come back.
        package var reconnect = 0.0
        /// Accounts made per second.
        package var signUps = 0.0

        package init(name: String, seconds: Double) {
            self.name = name
            self.seconds = seconds
        }
    }

    package init() {}

    package var seconds: Double { phases.reduce(0) { $0 + $1.seconds } }
    /// Packets a second in each room.
    package var packetsPerSecond: Double { 1000 / frameMilliseconds }

    package static let roomsMax = 5000
    package static let listenersMax = 200_000
    /// A day.
    package static let secondsMax = 86_400.0
    package static let rateMax = 100_000.0

    /// - Throws: `load.usage` with the fault.
    package func check() throws(LoadError) {
        func need(_ holds: Bool, _ sentence: @autoclosure () -> String) throws(LoadError) {
            if !holds { throw LoadError(.usage, sentence()) }
        }
        try need(1...Self.roomsMax ~= rooms, "There can be 1 to \(Self.roomsMax) rooms, not \(rooms).")
        try need(!phases.isEmpty, "A scenario has at least one phase.")
        var (listeners, slow, dead) = (0, 0, 0)
        for phase in phases {
            let place = phases.count == 1 ? "" : " in phase \"\(phase.name)\""
            try need(
                phase.seconds > 0 && phase.seconds <= Self.secondsMax,
                "The seconds\(place) must be above 0 and at most \(Int(Self.secondsMax)), not \(phase.seconds).")
            let before = [listeners - slow - dead, slow, dead]
            listeners = phase.listeners ?? listeners
            slow = phase.slow ?? slow
            dead = phase.dead ?? dead
            try need(
                0...Self.listenersMax ~= listeners,
                "There can be 0 to \(Self.listenersMax) listeners\(place), not \(listeners).")
            try need(
                0...listeners ~= slow && dead >= 0 && dead <= listeners - slow,
                "Slow (\(slow)) and dead (\(dead)) readers\(place) are some of the listeners (\(listeners)), not more.")
            let rates = [
                ("join rate", phase.joinRate ?? 1), ("churn", phase.churn), ("chat", phase.chat),
                ("reactions", phase.reactions), ("sign-ups", phase.signUps),
            ]
            for (name, rate) in rates {
                try need(
                    rate >= 0 && rate <= Self.rateMax && (name != "join rate" || rate > 0),
                    "The \(name) per second\(place) must be at most \(Int(Self.rateMax)) and not negative, not \(rate)."
                )
            }
            if let rate = phase.joinRate {
                let joins = zip([listeners - slow - dead, slow, dead], before).reduce(0) { $0 + max(0, $1.0 - $1.1) }
                try need(
                    Double(joins) / rate <= Self.secondsMax,
                    "\(joins) joins\(place) at \(rate) per second would take longer than \(Int(Self.secondsMax)) seconds."
                )
            }
            try need(
                0...1 ~= phase.reconnect,
                "The share that reconnects\(place) lies between 0 and 1, not at \(phase.reconnect).")
            let isStirred = phase.churn > 0 || phase.chat > 0 || phase.reactions > 0 || phase.reconnect > 0
            try need(
                !isStirred || listeners > slow + dead,
                "Churn, chat, reactions and reconnecting\(place) need listeners who are neither slow nor dead.")
        }
    }
}
