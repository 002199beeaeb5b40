/// Chooses what to tell of when samples were captured: of each second the read that came soonest after it.
struct CaptureTeller: Sendable {
    private var second: Int64?
    private var best: (sample: Int64, readAt: Int64)?

    /// How much the delay between a sample's capture and its reading may vary, µs.
    static let readError: Int64 = 1_000

    /// - Parameter sample: One past the last that was read.
    /// - Returns: The sample to report for the second before, when another second begins.
    mutating func take(sample: Int64, readAt: Int64) -> (sample: Int64, readAt: Int64)? {
        let number = sample / 48_000
        defer {
            if let held = best, second == number {
                if lateness(sample, readAt) < lateness(held.sample, held.readAt) { best = (sample, readAt) }
            } else {
                best = (sample, readAt)
            }
            second = number
        }
        return second == number ? nil : best
    }

    private func lateness(_ sample: Int64, _ time: Int64) -> Int64 { time - sample * 125 / 6 }
}
