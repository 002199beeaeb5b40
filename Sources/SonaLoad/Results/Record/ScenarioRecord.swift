internal import SonaBase

/// The scenario that was asked for.
package struct ScenarioRecord: Codable, Sendable, Equatable {
    /// The report's headline; anything a person typed.
    package var title: String?
    package var server: String
    package var rooms: Int
    package var hosts: Int
    package var listeners: Int
    /// Planned length of the measured part, seconds.
    package var seconds: Double
    /// Duration of a packet, ms.
    package var frameMilliseconds: Double
    /// kbit/s.
    package var bitrate: Int?
    package var delivery: String?
    /// Everything that is needed to run it again, in the form of a scenario file.
    package var plan: RecordValue?

    package init(server: String, rooms: Int, hosts: Int, listeners: Int, seconds: Double, frameMilliseconds: Double) {
        (self.server, self.rooms, self.hosts) = (server, rooms, hosts)
        (self.listeners, self.seconds, self.frameMilliseconds) = (listeners, seconds, frameMilliseconds)
    }

    private enum CodingKeys: String, CodingKey {
        case title, server, rooms, hosts, listeners, seconds, bitrate, delivery, plan
        case frameMilliseconds = "frame_ms"
    }
}

/// Any JSON but null, for values that this format passes on unread.
package enum RecordValue: Codable, Sendable, Equatable {
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([RecordValue])
    case object([String: RecordValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([RecordValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: RecordValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// The value in one line of words; nil for an array or an object.
    var words: String? {
        switch self {
        case .bool(let value): value ? "yes" : "no"
        case .integer(let value): Figures.count(value)
        case .number(let value): Figures.short(value)
        case .string(let value): ConsoleLine.printable(value)
        case .array, .object: nil
        }
    }
}
