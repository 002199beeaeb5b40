internal import ArgumentParser

/// How long something is to last, as a person writes it: `90s`, `30m`, `12h`, `7d` or `4w`.
struct TimeSpan: ExpressibleByArgument, Equatable {
    var seconds: Int64

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

    /// - Returns: nil for anything but a number with its unit, and for a time too long for an integer.
    init?(argument: String) {
        let digits = argument.dropLast()
        guard let unit = argument.last.flatMap({ Self.units[$0] }), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let number = Int64(digits)
        else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit)
        if overflow { return nil }
        self.seconds = seconds
    }
}
