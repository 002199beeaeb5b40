/// A stretch in which nothing came from the server at all, though listeners were there and had heard it before.
struct Silence: Equatable {
    /// Both from the beginning of the measurement, seconds.
    var from: Double
    var to: Double

    /// Shorter ones are a matter of delays. The longest packets are a fraction of a second.
    private static let shortest = 1.9

    /// The longest, if any is worth a word.
    init?(longestIn intervals: [IntervalRecord]) {
        var longest: Silence?
        var current: Silence?
        for interval in intervals.drop(while: { $0.received == 0 }) {
            guard interval.received == 0, interval.bytesReceived == 0, interval.listeners > 0 else {
                current = nil
                continue
            }
            let stretch = Silence(from: current?.from ?? interval.at - interval.seconds, to: interval.at)
            current = stretch
            if stretch.length > longest?.length ?? 0 { longest = stretch }
        }
        guard let longest, longest.length >= Self.shortest else { return nil }
        self = longest
    }

    init(from: Double, to: Double) { (self.from, self.to) = (from, to) }

    private var length: Double { to - from }
}
