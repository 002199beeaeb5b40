internal import ArgumentParser
internal import SonaLoad
internal import SonaWire

/// The sound, and in how many rooms.
struct SoundOptions: ParsableArguments {
    @Option(help: "Rooms, each with a host.")
    var rooms = 1

    @Option(
        name: .customLong("frame-ms"),
        help: ArgumentHelp("Length of an Opus packet: 2.5, 5, 10, 20, 40, 60, 80, 100 or 120.", valueName: "ms"))
    var frameMilliseconds = 20.0

    @Option(help: ArgumentHelp("Bit rate of each room's sound, 6 to 510.", valueName: "kbit/s"))
    var bitrate = 128

    @Option(
        help:
            "How the server is to send: each packet at once, or gathered for up to 60 ms. (values: interactive, party)")
    var delivery = Delivery.party

    @Option(
        help:
            "What everything that is drawn is drawn from; the same seed repeats a run. (default: a new one, which is printed)"
    )
    var seed: UInt64?

    func scenario() throws -> Scenario {
        var scenario = Scenario()
        scenario.rooms = rooms
        scenario.frameMilliseconds = frameMilliseconds
        scenario.bitrate = bitrate
        scenario.delivery = delivery
        scenario.seed = try chosenSeed()
        return scenario
    }

    func chosenSeed() throws -> UInt64 {
        if let seed, seed > Scenario.seedMax { throw Failure(64, "A seed lies between 0 and 2^53 - 1.") }
        return seed ?? UInt64.random(in: 1...999_999)
    }
}

/// Events while the sound plays.
struct StormOptions: ParsableArguments {
    @Option(help: "Listeners over all rooms, slow and dead ones included.")
    var listeners = 100

    @Option(help: "How long is measured, once everybody is in (with --join-rate: once the last has been sent for).")
    var seconds = 10.0

    @Option(
        name: .customLong("join-rate"),
        help: ArgumentHelp(
            "Listeners join at this rate while it is measured; otherwise before.", valueName: "per second"))
    var joinRate: Double?

    @Option(help: ArgumentHelp("How many of the listeners read at half the rate of their room.", valueName: "count"))
    var slow = 0

    @Option(
        help: ArgumentHelp("How many of the listeners stop reading once they hear something.", valueName: "count"))
    var dead = 0

    @Option(help: ArgumentHelp("Listeners that leave and are replaced.", valueName: "per second"))
    var churn = 0.0

    @Option(help: ArgumentHelp("Chat messages over all rooms.", valueName: "per second"))
    var chat = 0.0

    @Option(help: ArgumentHelp("Reactions over all rooms.", valueName: "per second"))
    var reactions = 0.0

    @Option(
        help: ArgumentHelp(
            "Share of the listeners whose connections are cut when half of the time is over, and who come back.",
            valueName: "percent"))
    var reconnect: String?

    @Option(name: .customLong("sign-ups"), help: ArgumentHelp("Accounts that are made.", valueName: "per second"))
    var signUps = 0.0

    func phases() throws -> [Scenario.Phase] {
        let share = try reconnectShare()
        var phases: [Scenario.Phase] = []
        if let joinRate {
            guard joinRate > 0 else { throw Failure(64, "The --join-rate is above 0.") }
            var ramp = Scenario.Phase(name: "ramp", seconds: max(0.001, Double(listeners) / joinRate))
            ramp.joinRate = joinRate
            phases.append(ramp)
        }
        var steady = Scenario.Phase(name: "steady", seconds: share > 0 ? seconds / 2 : seconds)
        steady.churn = churn
        steady.chat = chat
        steady.reactions = reactions
        steady.signUps = signUps
        phases.append(steady)
        if share > 0 {
            var storm = steady
            storm.name = "reconnect"
            storm.reconnect = share
            phases.append(storm)
        }
        phases[0].listeners = listeners
        phases[0].slow = slow
        phases[0].dead = dead
        return phases
    }

    /// `30`, `30%`: percent.
    private func reconnectShare() throws -> Double {
        guard let text = reconnect else { return 0 }
        guard let number = Double(text.hasSuffix("%") ? String(text.dropLast()) : text), 0...100 ~= number else {
            throw Failure(
                64, "--reconnect is a share of the listeners in percent, 0 to 100, not \"\(Console.printable(text))\".")
        }
        return number / 100
    }
}
