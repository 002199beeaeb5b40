internal import Glibc

/// The unit of an axis, and how its values read.
enum ChartUnit: Sendable {
    /// ms.
    case milliseconds
    /// s since the run began.
    case seconds
    case perSecond
    case count
    /// 1 is a whole core.
    case cores
    case bytes

    func text(_ value: Double) -> String {
        switch self {
        case .milliseconds: Figures.time(value * 1000)
        case .seconds: value < 120 ? "\(Figures.trimmed(Figures.fixed(value, 1))) s" : Figures.clock(value)
        case .perSecond: "\(Figures.brief(value))/s"
        case .count: Figures.brief(value)
        case .cores: "\(Figures.fixed(value * 100, 0)) %"
        case .bytes: Figures.bytes(value)
        }
    }

    /// A value as the label of a tick, without needless zeros.
    func tick(_ value: Double) -> String {
        if value == 0 { return self == .seconds ? "0 s" : "0" }
        if self == .seconds && value >= 120 { return Figures.clock(value) }
        return Figures.trimmed(text(value))
    }

    /// The number that the distances of ticks are decimal multiples of.
    fileprivate func base(below most: Double) -> Double {
        switch self {
        case .bytes: most >= 1_073_741_824 ? 1_073_741_824 : most >= 1_048_576 ? 1_048_576 : most >= 1024 ? 1024 : 1
        case .seconds: most > 7200 ? 3600 : most > 120 ? 60 : 1
        case .cores: 0.01
        default: 1
        }
    }

    /// Whether ticks stand at whole numbers of the base alone: they are written without a fraction.
    fileprivate var isWhole: Bool { self == .count || self == .cores }
}

extension Figures {
    /// The text without zeros at the end of its fraction: `2.50 ms` becomes `2.5 ms`.
    static func trimmed(_ text: String) -> String {
        guard let point = text.firstIndex(of: ".") else { return text }
        let end = text[point...].dropFirst().firstIndex { !$0.isNumber } ?? text.endIndex
        var number = text[..<end]
        while number.last == "0" { number.removeLast() }
        if number.last == "." { number.removeLast() }
        return String(number) + text[end...]
    }
}

/// Maps values to places on an axis, and chooses its ticks.
struct ChartScale: Sendable {
    /// The range of values that axes are made for; values beyond are drawn at the end.
    private static let span = 1e-9...1e15

    private let low: Double
    private let high: Double
    private let isLogarithmic: Bool
    let ticks: [Double]

    /// - Parameters:
    ///   - values: The values that have to fit on it.
    ///   - isLogarithmic: Logarithmic if the values allow it: all above 0.
    init(_ values: [Double], unit: ChartUnit, isLogarithmic: Bool = false, endsAtMost: Bool = false) {
        let finite = values.filter(\.isFinite)
        func spanned(_ value: Double?) -> Double {
            guard let value, value > 0 else { return 0 }
            return min(max(value, Self.span.lowerBound), Self.span.upperBound)
        }
        let (least, most) = (spanned(finite.min()), spanned(finite.max()))
        // Nearer to each other, both would stand at one place.
        if isLogarithmic, least > 0, most > 1.01 * least {
            self.isLogarithmic = true
            // Down and up to a 1, 2 or 5 of a decade.
            let steps = (-9...15).flatMap { exponent in [1, 2, 5].map { $0 * pow(10, Double(exponent)) } }
            let begin = steps.last { $0 <= least * 1.0001 } ?? least
            let end = steps.first { $0 >= most * 0.9999 } ?? most
            let inside = steps.filter { $0 >= begin && $0 <= end }
            (low, high) = (begin, end)
            let decades = inside.filter { value in
                let exponent = log10(value)
                return abs(exponent - exponent.rounded()) < 1e-6
            }
            ticks = inside.count > 7 && decades.count >= 2 ? decades : inside
        } else {
            self.isLogarithmic = false
            let base = unit.base(below: most)
            let top = most > 0 ? most / base : 1
            let rough = top / (unit == .seconds ? 8 : 4.5)
            let power = pow(10, floor(log10(rough)))
            var step = ([1, 2, 5, 10].first { $0 * power >= rough } ?? 10) * power
            if unit.isWhole { step = max(1, step) }
            if unit == .seconds, base == 60 { step = [0.5, 1, 2, 5, 10, 20, 30].first { $0 >= rough } ?? step }
            let count = endsAtMost ? Int(top / step + 1e-9) : Int((top / step - 1e-9).rounded(.up))
            ticks = (0...max(1, count)).map { Double($0) * step * base }.filter { !endsAtMost || $0 <= most * 1.0001 }
            low = 0
            high = endsAtMost && most > 0 ? most : (ticks.last ?? 1)
        }
    }

    /// 0 at the beginning of the axis, 1 at its end.
    func place(_ value: Double) -> Double {
        let value = min(max(value, low), high)
        return isLogarithmic ? log10(value / low) / log10(high / low) : (value - low) / (high - low)
    }
}
