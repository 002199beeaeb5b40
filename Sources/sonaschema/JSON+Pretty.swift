import SonaWire

extension JSON {
    /// The value over several lines, indented by two. Values that fit into 118 characters stay on one line.
    func pretty(indentation: Int = 0, lead: Int = 0) -> String {
        let line = compact
        guard indentation + lead + line.count > 118, !isLeaf else { return line }
        let inner = String(repeating: " ", count: indentation + 2)
        let outer = String(repeating: " ", count: indentation)
        switch self {
        case .array(let values):
            let lines = values.map { inner + $0.pretty(indentation: indentation + 2) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
        case .object(let members):
            let lines = members.map { member in
                let key = JSON.string(member.key).compact + ": "
                return inner + key + member.value.pretty(indentation: indentation + 2, lead: key.count + 1)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        default: return line
        }
    }

    private var isLeaf: Bool {
        switch self {
        case .array(let values): values.isEmpty
        case .object(let members): members.isEmpty
        default: true
        }
    }

    /// The value in one line, with a blank after commas and colons.
    private var compact: String {
        switch self {
        case .array(let values): "[" + values.map(\.compact).joined(separator: ", ") + "]"
        case .object(let members):
            members.isEmpty
                ? "{}"
                : "{ " + members.map { "\(JSON.string($0.key).compact): \($0.value.compact)" }.joined(separator: ", ")
                    + " }"
        default: String(decoding: encoded(), as: UTF8.self)
        }
    }

    /// The value as YAML, which takes JSON for its leaves.
    ///
    /// Source: YAML 1.2.2, section 1.3: every JSON text is YAML.
    func yaml(indentation: Int = 0) -> String {
        let outer = String(repeating: " ", count: indentation)
        switch self {
        case .array(let values) where !values.isEmpty:
            return values.map { value in
                "\n\(outer)- " + value.yaml(indentation: indentation + 2).drop { $0 == "\n" || $0 == " " }
            }.joined()
        case .object(let members) where !members.isEmpty:
            return members.map { member in
                let text = member.value.yaml(indentation: indentation + 2)
                return "\n\(outer)\(member.key):" + (text.first == "\n" ? text : " " + text)
            }.joined()
        default: return compact
        }
    }
}
