import SonaBase
import SonaWire

/// One line of `sona doctor`: what was looked at, what was seen, and what to do about it.
struct Finding: Equatable {
    enum Verdict: String, Comparable {
        case ok, warn, fail

        static func < (left: Verdict, right: Verdict) -> Bool { left.exitCode < right.exitCode }

        /// The exit code of a doctor whose worst finding this is.
        var exitCode: Int32 {
            switch self {
            case .ok: 0
            case .warn: 1
            case .fail: 2
            }
        }
    }

    var verdict: Verdict
    /// What was looked at, in a word or two, such as `disk`.
    var subject: String
    /// One sentence.
    var saw: String
    /// What to do, in sentences; nil where nothing is to be done.
    var advice: String?

    static func ok(_ subject: String, _ saw: String) -> Finding {
        Finding(verdict: .ok, subject: subject, saw: saw, advice: nil)
    }

    static func warn(_ subject: String, _ saw: String, _ advice: String) -> Finding {
        Finding(verdict: .warn, subject: subject, saw: saw, advice: advice)
    }

    static func fail(_ subject: String, _ saw: String, _ advice: String) -> Finding {
        Finding(verdict: .fail, subject: subject, saw: saw, advice: advice)
    }

    /// `warn  disk: …`, and the advice on a line of its own.
    var text: String {
        let word = verdict.rawValue + String(repeating: " ", count: 5 - verdict.rawValue.count)
        let line = ConsoleLine.printable("\(word) \(subject): \(saw)")
        return advice.map { line + "\n      " + ConsoleLine.printable("to do: \($0)") } ?? line
    }

    var json: JSON {
        .object([
            JSON.Member(key: "verdict", value: .string(verdict.rawValue)),
            JSON.Member(key: "subject", value: .string(subject)), JSON.Member(key: "saw", value: .string(saw)),
            JSON.Member(key: "advice", value: advice.map { .string($0) } ?? .null),
        ])
    }
}
