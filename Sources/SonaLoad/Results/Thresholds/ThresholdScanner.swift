internal import SonaBase

/// Takes a threshold apart, from left to right.
struct ThresholdScanner {
    private let expression: String
    private let characters: [Character]
    private var place = 0

    init(_ expression: String) {
        self.expression = expression
        characters = Array(expression)
    }

    /// The field, and whether a `%` follows it.
    mutating func field() throws(ThresholdError) -> (ThresholdField, hasPercent: Bool) {
        skipSpaces()
        let begin = place
        while let character = current, !character.isWhitespace, !"<>=!%".contains(character) { place += 1 }
        let name = String(characters[begin..<place])
        guard !name.isEmpty else {
            throw fault(begin..<place, "A threshold begins with a field, as in delay.p99>50ms.")
        }
        guard let field = ThresholdField.named(name) else {
            throw fault(begin..<place, "There is no field \"\(ConsoleLine.printable(name))\".")
        }
        skipSpaces()
        guard current == "%" else { return (field, false) }
        guard field.kind == .deliveries || field.kind == .cores else {
            throw fault(place..<place + 1, "\(name) has no share: % is for deliveries and cpu.")
        }
        place += 1
        return (field, true)
    }

    mutating func comparison() throws(ThresholdError) -> Threshold.Comparison {
        skipSpaces()
        let begin = place
        while let character = current, "<>=!".contains(character) { place += 1 }
        guard let comparison = Threshold.Comparison(rawValue: String(characters[begin..<place])) else {
            throw fault(begin..<place, "Here a comparison is expected: >, >=, <, <=, == or !=.")
        }
        return comparison
    }

    /// The limit in the field's base unit, and whether it is a share of the deliveries expected.
    mutating func limit(
        of field: ThresholdField, hasPercent: Bool
    ) throws(ThresholdError) -> (Double, isShare: Bool) {
        skipSpaces()
        let begin = place
        while let character = current, character.isASCII, character.isNumber || character == "." { place += 1 }
        guard begin < place, let number = Double(String(characters[begin..<place])), number.isFinite else {
            throw fault(begin..<place, "Here a number is expected, as in \(field.name)>\(Self.example(field.kind)).")
        }
        skipSpaces()
        let unitBegin = place
        place = characters.count
        while place > unitBegin, characters[place - 1].isWhitespace { place -= 1 }
        let unit = String(characters[unitBegin..<place])
        if unit.isEmpty && hasPercent { return (number / 100, field.kind == .deliveries) }
        guard let factor = Self.factor(unit, of: field.kind) ?? (unit.isEmpty && number == 0 ? 1 : nil) else {
            if unit.isEmpty { throw fault(begin..<place, "\(field.name) needs a unit: \(Self.units(field.kind)).") }
            throw fault(
                unitBegin..<place,
                "\"\(ConsoleLine.printable(unit))\" is no unit of \(field.name): \(Self.units(field.kind)).")
        }
        return (number * factor, unit == "%" && field.kind == .deliveries)
    }

    // MARK: Units

    private static func factor(_ unit: String, of kind: ThresholdField.Kind) -> Double? {
        switch kind {
        case .time: ["ns": 1e-3, "us": 1, "µs": 1, "μs": 1, "ms": 1e3, "s": 1e6, "min": 6e7][unit]
        case .count: unit.isEmpty ? 1 : nil
        case .deliveries: ["": 1, "%": 0.01][unit]
        case .cores: ["%": 0.01][unit]
        case .bytes:
            [
                "": 1, "B": 1, "bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1024, "MiB": 1_048_576,
                "GiB": 1_073_741_824,
            ][unit]
        }
    }

    private static func units(_ kind: ThresholdField.Kind) -> String {
        switch kind {
        case .time: "ns, us, ms, s or min"
        case .count: "it is a plain number"
        case .deliveries: "a plain number, or % of those expected"
        case .cores: "% of a core"
        case .bytes: "B, kB, MB, GB, KiB, MiB or GiB"
        }
    }

    private static func example(_ kind: ThresholdField.Kind) -> String {
        switch kind {
        case .time: "50ms"
        case .count: "0"
        case .deliveries: "0.1%"
        case .cores: "80%"
        case .bytes: "200MiB"
        }
    }

    // MARK: Characters

    private var current: Character? { place < characters.count ? characters[place] : nil }
    private mutating func skipSpaces() { while let character = current, character.isWhitespace { place += 1 } }
    private func fault(_ place: Range<Int>, _ sentence: String) -> ThresholdError {
        ThresholdError(expression: expression, place: place, sentence: sentence)
    }
}
