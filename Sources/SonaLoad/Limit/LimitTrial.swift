/// The bounds that a server must keep to bear a number of listeners.
package struct LimitCriteria: Equatable, Sendable {
    /// ms. Up to 60 of them are by design in a `party` room, and up to 120 in any while the server is busy: it gathers packets
    /// and goes on doing so for some seconds. A limit below would be that of its mood.
    package var delayP99 = 200.0
    /// Lost packets as a part of the expected ones, 0 to 1.
    package var loss = 0.001
    /// Time from the request to join to the first packet, ms.
    package var joinP99 = 2000.0

    package init() {}
}

/// The bound that was not kept.
package enum LimitCause: String, Sendable, CaseIterable {
    /// The harness, or the machine it has to share: nothing is known of the server beyond here.
    case harness
    /// Connections were turned away or refused.
    case refused
    case loss
    case delay
    case join

    package var sentence: String {
        switch self {
        case .harness: "the harness itself, or the machine it shares with the server"
        case .refused: "the server turned listeners away"
        case .loss: "packets were lost"
        case .delay: "packets were late"
        case .join: "joining took too long"
        }
    }
}

/// One run at a number of listeners, and whether they were borne.
package struct LimitTrial: Equatable, Sendable {
    package var listeners: Int
    /// The first is why it counts as not borne; empty: they were.
    package var causes: [LimitCause] = []
    /// ms.
    package var delayP99: Double?
    package var loss: Double?
    package var joinP99: Double?
    /// Use of one core.
    package var serverCPU: Double?
    package var harnessCPU: Double?
    /// The server's code, if it refused.
    package var serverCode: String?

    package var isBorne: Bool { causes.isEmpty }

    package init(listeners: Int, causes: [LimitCause] = []) {
        self.listeners = listeners
        self.causes = causes
    }

    /// Judges a run. What the harness itself is to blame for is never the server's: where it was too busy or too late, that
    /// comes first.
    package init(_ record: RunRecord, listeners: Int, _ criteria: LimitCriteria) {
        self.init(listeners: listeners)
        let totals = record.totals
        delayP99 = totals.delay?.p99
        let loss = totals.share(totals.lost)
        self.loss = loss
        joinP99 = totals.join?.p99
        serverCPU = record.server?.cpu
        harnessCPU = record.harness.cpu
        if totals.listenersMax < listeners { causes.append(.refused) }
        if loss > criteria.loss || totals.expected == 0 { causes.append(.loss) }
        if let p99 = totals.delay?.p99, p99 > criteria.delayP99 { causes.append(.delay) }
        if let p99 = totals.join?.p99, p99 > criteria.joinP99 { causes.append(.join) }
        let own: Set = ["harness.busy", "harness.late", "harness.waiting"]
        if !causes.isEmpty, causes != [.refused], record.harness.warnings.contains(where: { own.contains($0.code) }) {
            causes.insert(.harness, at: 0)
        }
    }

    /// One that did not come to measuring since listeners did not get in.
    ///
    /// - Returns: Nil if that is not why: what else goes wrong says nothing of how many are borne.
    package init?(_ error: LoadError, listeners: Int) {
        // Only an error about an engine's own listeners has the code with which the server turned them away.
        let isTurnedAway = error.code == .turnedAway && error.serverCode != nil
        guard isTurnedAway || error.code == .machine else { return nil }
        let cause: LimitCause = error.serverCode == LoadError.slowJoins ? .join : .refused
        self.init(listeners: listeners, causes: [error.code == .machine ? .harness : cause])
        serverCode = error.serverCode ?? error.code.rawValue
    }

    /// The trial in one line.
    package var line: String {
        var parts = ["\(listeners) listeners: " + (isBorne ? "borne" : "not borne, \(causes[0].sentence)")]
        if let delayP99 { parts.append("p99 \(Self.short(delayP99)) ms") }
        if let loss { parts.append("lost \(Self.short(loss * 100)) %") }
        if let joinP99 { parts.append("join p99 \(Self.short(joinP99)) ms") }
        if let serverCPU { parts.append("server \(Int((serverCPU * 100).rounded())) %") }
        if let harnessCPU { parts.append("harness \(Int((harnessCPU * 100).rounded())) % of a core") }
        if let serverCode { parts.append(serverCode) }
        return parts.joined(separator: ", ")
    }

    /// The number, rounded to about three digits.
    static func short(_ number: Double) -> String {
        if number >= 100 || number == 0 { return "\(Int(number.rounded()))" }
        let scaled = number >= 1 ? (number * 10).rounded() / 10 : (number * 1000).rounded() / 1000
        return "\(scaled)"
    }
}
