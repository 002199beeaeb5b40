internal import SonaBase

/// The contents of a record beyond its totals, under `details`.
struct RunDetails {
    let values: [String: RecordValue]

    init(_ engine: Engine, _ scenario: Scenario, bank: PacketBank, waitShare: Double?) {
        let counts = engine.counted
        let ordinary = engine.tally(.ordinary)
        var values: [String: RecordValue] = [
            "lost_while_away": .integer(ordinary.away), "lost_unexplained": .integer(ordinary.missing),
            "replayed": .integer(ordinary.replayed), "before_span": .integer(ordinary.before),
            "foreign_packets": .integer(counts.foreign), "unsent_packets": .integer(counts.unsent),
            "packets_sent": .integer(counts.packetsSent),
            "packet_bytes_mean": .number((bank.bytesMean * 10).rounded() / 10),
            "connections_lost": .integer(counts.lostConnections), "listeners_given_up": .integer(engine.givenUp),
        ]
        values["harness_wait_share"] = waitShare.map { .number(($0 * 1e4).rounded() / 1e4) }
        values["reading_round_ms"] = Self.value(engine.times.rounds)
        if counts.reconnects > 0 {
            values["resumed"] = .integer(counts.resumed)
            values["reconnect_ms"] = Self.value(engine.times.reconnects)
        }
        if counts.chatSent > 0 {
            values["chat_sent"] = .integer(counts.chatSent)
            values["chat_confirmed"] = .integer(counts.chatConfirmed)
            values["chat_ms"] = Self.value(engine.times.chat)
        }
        if counts.reactionsSent > 0 {
            values["reactions_sent"] = .integer(counts.reactionsSent)
            values["reactions_confirmed"] = .integer(counts.reactionsConfirmed)
        }
        if counts.signUpsBegun > 0 {
            values["sign_ups_begun"] = .integer(counts.signUpsBegun)
            values["sign_ups_done"] = .integer(counts.signUpsDone)
            values["sign_up_ms"] = Self.value(engine.times.signUps)
        }
        for reader in [LoadPlan.Reader.slow, .dead] {
            let number = engine.plan.listeners.count { $0.reader == reader }
            guard number > 0 else { continue }
            let tally = engine.tally(reader)
            var own: [String: RecordValue] = ["listeners": .integer(number)]
            if reader == .slow {
                own["expected"] = .integer(tally.expected)
                own["received"] = .integer(tally.received)
                own["lost"] = .integer(tally.lost)
                own["skipped"] = .integer(tally.skipped)
            }
            values["\(reader)_readers"] = .object(own)
        }
        if counts.laggardsClosed > 0 { values["laggards_closed"] = .integer(counts.laggardsClosed) }
        if !engine.sentences.isEmpty {
            values["error_sentences"] = .object(engine.sentences.mapValues { .string($0) })
        }
        self.values = values
    }

    private static func value(_ histogram: Histogram) -> RecordValue? {
        guard let distribution = Distribution(histogram, in: .milliseconds) else { return nil }
        return .object([
            "count": .integer(distribution.count), "p50": .number(distribution.p50), "p99": .number(distribution.p99),
            "max": .number(distribution.max),
        ])
    }
}
