internal import SonaWire

/// Scenario files: JSON, described in README.md beside this module. A key that is not known is refused, for it was meant
/// to say something.
extension Scenario {
    private static let keys = ["name", "rooms", "frame_ms", "bitrate", "delivery", "seed", "phases"]
    /// 2^53 − 1: the greatest integer that every reader of JSON can hold.
    package static let seedMax: UInt64 = 9_007_199_254_740_991

    /// - Throws: `load.usage` with the place that does not make sense.
    package init(file bytes: [UInt8]) throws(LoadError) {
        let json: JSON
        do { json = try JSON.parse(bytes) } catch {
            throw LoadError(.usage, "The scenario file is not JSON: \(error).")
        }
        try self.init(json)
        try check()
    }

    private init(_ json: JSON) throws(LoadError) {
        let fields = try ScenarioFields(json, "the scenario", Self.keys)
        name = try fields.text("name") ?? "scenario"
        rooms = try fields.whole("rooms") ?? rooms
        frameMilliseconds = try fields.number("frame_ms") ?? frameMilliseconds
        bitrate = try fields.whole("bitrate") ?? bitrate
        if let word = try fields.text("delivery") {
            guard let delivery = Delivery(rawValue: word) else {
                throw LoadError(.usage, "The delivery of a scenario is \"interactive\" or \"party\", not \"\(word)\".")
            }
            self.delivery = delivery
        }
        if let seed = try fields.whole("seed") {
            guard seed >= 0, UInt64(seed) <= Self.seedMax else {
                throw LoadError(.usage, "A seed lies between 0 and 2^53 - 1.")
            }
            self.seed = UInt64(seed)
        }
        guard let list = json["phases"]?.array else {
            throw LoadError(.usage, "A scenario needs \"phases\", a list of objects.")
        }
        for (index, json) in list.enumerated() {
            phases.append(try Phase(json, number: index + 1))
        }
    }

    /// The scenario in the form of a scenario file.
    package var recordValue: RecordValue {
        .object([
            "name": .string(name), "rooms": .integer(rooms), "frame_ms": .number(frameMilliseconds),
            "bitrate": .integer(bitrate), "delivery": .string(delivery.rawValue), "seed": .integer(Int(clamping: seed)),
            "phases": .array(phases.map(\.recordValue)),
        ])
    }
}

extension Scenario.Phase {
    fileprivate init(_ json: JSON, number: Int) throws(LoadError) {
        let fields = try ScenarioFields(json, "phase \(number)", Self.keys)
        guard let seconds = try fields.number("seconds") else {
            throw LoadError(.usage, "Phase \(number) needs \"seconds\".")
        }
        self.init(name: try fields.text("name") ?? "phase \(number)", seconds: seconds)
        listeners = try fields.whole("listeners")
        slow = try fields.whole("slow")
        dead = try fields.whole("dead")
        joinRate = try fields.number("join_rate")
        churn = try fields.number("churn") ?? 0
        chat = try fields.number("chat") ?? 0
        reactions = try fields.number("reactions") ?? 0
        reconnect = try fields.number("reconnect") ?? 0
        signUps = try fields.number("sign_ups") ?? 0
    }

    private static let keys = [
        "name", "seconds", "listeners", "slow", "dead", "join_rate", "churn", "chat", "reactions", "reconnect",
        "sign_ups",
    ]

    fileprivate var recordValue: RecordValue {
        var members: [String: RecordValue] = ["name": .string(name), "seconds": .number(seconds)]
        members["listeners"] = listeners.map { .integer($0) }
        members["slow"] = slow.map { .integer($0) }
        members["dead"] = dead.map { .integer($0) }
        members["join_rate"] = joinRate.map { .number($0) }
        let rates = [
            ("churn", churn), ("chat", chat), ("reactions", reactions), ("reconnect", reconnect), ("sign_ups", signUps),
        ]
        for (key, value) in rates where value > 0 { members[key] = .number(value) }
        return .object(members)
    }
}

/// An object of a scenario file.
private struct ScenarioFields {
    private let json: JSON
    private let place: String

    init(_ json: JSON, _ place: String, _ known: [String]) throws(LoadError) {
        guard let members = json.object else { throw LoadError(.usage, "In the file, \(place) is no object.") }
        if let unknown = members.first(where: { !known.contains($0.key) }) {
            throw LoadError(
                .usage, "In \(place) there is no \"\(unknown.key)\"; it may have \(known.joined(separator: ", ")).")
        }
        self.json = json
        self.place = place
    }

    private func value(_ key: String) -> JSON? {
        guard let value = json[key], !value.isNull else { return nil }
        return value
    }

    private func wrong(_ key: String, _ what: String) -> LoadError {
        LoadError(.usage, "In \(place), \"\(key)\" must be \(what).")
    }

    func text(_ key: String) throws(LoadError) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else { throw wrong(key, "a text") }
        return text
    }

    func whole(_ key: String) throws(LoadError) -> Int? {
        guard let value = value(key) else { return nil }
        guard let number = value.integer else { throw wrong(key, "a whole number") }
        return Int(number)
    }

    func number(_ key: String) throws(LoadError) -> Double? {
        guard let value = value(key) else { return nil }
        if let number = value.integer { return Double(number) }
        if case .number(let number) = value { return number }
        throw wrong(key, "a number")
    }
}
