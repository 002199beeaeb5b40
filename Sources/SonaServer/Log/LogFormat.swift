internal import SonaBase
internal import SonaWire

/// How the operator wants lines to be written.
package enum LogFormatChoice: String, CaseIterable, Sendable {
    /// For people if the log is a terminal, else for programs.
    case auto
    case text
    case json

    /// - Parameter isTerminal: Whether somebody looks at the log on a terminal.
    package func format(isTerminal: Bool) -> LogFormat {
        switch self {
        case .auto: isTerminal ? .text : .json
        case .text: .text
        case .json: .json
        }
    }
}

/// How a line of the log is written.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For people: `2026-11-25T17:03:22Z warning  A sign-in was refused. (auth.failed, address 203.0.113.7)`.
    case text
    /// For programs: one JSON object a line.
    case json

    /// The beginning of a line for systemd's journal, which takes the level from it: sd-daemon(3).
    static func priority(_ level: LogLine.Level) -> String {
        switch level {
        case .debug: "<7>"
        case .info: "<6>"
        case .warning: "<4>"
        case .error: "<3>"
        }
    }

    /// - Parameters:
    ///   - milliseconds: The wall time, milliseconds since 1970.
    ///   - repeats: Lines of the same kind that were left out before this one.
    func text(_ line: LogLine, milliseconds: Int64, repeats: Int) -> String {
        switch self {
        case .text:
            // Words of strangers, such as a room's title, must not control the terminal.
            let message = ConsoleLine.printable(line.message)
            let level = line.level.rawValue.padding(to: 7)
            let fields = line.fields.map { ", \($0.name) \(ConsoleLine.printable($0.value))" }.joined()
            let left = repeats > 0 ? ", \(repeats) more were left out" : ""
            let end = "(\(line.event.rawValue)\(fields)\(left))"
            return "\(UTC.text(milliseconds: milliseconds)) \(level)  \(message) \(end)"
        case .json:
            var members = [
                JSON.Member(key: "time", value: .string(UTC.text(milliseconds: milliseconds))),
                JSON.Member(key: "level", value: .string(line.level.rawValue)),
                JSON.Member(key: "event", value: .string(line.event.rawValue)),
                JSON.Member(key: "message", value: .string(line.message)),
            ]
            members += line.fields.map { JSON.Member(key: $0.name, value: .string($0.value)) }
            if repeats > 0 { members.append(JSON.Member(key: "left_out", value: .integer(Int64(repeats)))) }
            return String(decoding: JSON.object(members).encoded(), as: UTF8.self)
        }
    }
}

extension String {
    fileprivate func padding(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
