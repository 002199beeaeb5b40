public import ArgumentParser
public import SonaWire

extension SlotID: ExpressibleByArgument {
    /// In small letters, too.
    public init?(argument: String) { self.init(argument.uppercased()) }
}

extension ReplayID: ExpressibleByArgument {
    /// In small letters, too.
    public init?(argument: String) { self.init(argument.uppercased()) }
}

extension RecordingID: ExpressibleByArgument {
    /// In small letters, too.
    public init?(argument: String) { self.init(argument.uppercased()) }
}

/// How long a slot lasts, as people write it: `90m`, `2h`, `1h30m`.
struct SlotLength: ExpressibleByArgument {
    let seconds: Int

    init(seconds: Int) { self.seconds = seconds }

    init?(argument: String) {
        var (total, number, isNumber) = (0, 0, false)
        for character in argument {
            if character.isASCII, let digit = character.wholeNumberValue {
                number = number * 10 + digit
                isNumber = true
                guard number <= 86_400 else { return nil }
                continue
            }
            guard isNumber, let unit = ["h": 3_600, "m": 60, "s": 1][character] else { return nil }
            total += number * unit
            (number, isNumber) = (0, false)
        }
        guard !isNumber, total > 0 else { return nil }
        seconds = total
    }

    var text: String {
        let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
        return parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    }
}

/// Days of the week: `mon,wed,fri`.
struct SlotDays: ExpressibleByArgument {
    /// 1 for Monday to 7 for Sunday.
    let days: [Int64]

    private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    init(days: [Int64]) { self.days = days }

    init?(argument: String) {
        var days: [Int64] = []
        for name in argument.lowercased().split(separator: ",") {
            guard let place = Self.names.firstIndex(of: String(name)) else { return nil }
            days.append(Int64(place + 1))
        }
        guard !days.isEmpty, Set(days).count == days.count else { return nil }
        self.days = days
    }

    var text: String { days.map { Self.names[Int($0) - 1] }.joined(separator: ",") }
}
