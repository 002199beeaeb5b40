/// The intervals of one or two runs on one time axis.
///
/// Long runs are thinned out to `momentsMax` places: rates and shares are averaged, losses added up, delays and memory
/// are the worst of each stretch.
struct ReportMoments: Sendable {
    static let momentsMax = 1200
    /// A month.
    private static let secondsMax = 2_678_400.0

    /// Ends of the stretches, seconds.
    let times: [Double]
    /// The intervals of each run at each place; empty where it has none.
    private let stretches: [[[IntervalRecord]]]
    /// How many intervals a place stands for.
    let step: Int
    /// End of the time axis, seconds.
    let length: Double

    init(_ runs: [RunRecord]) {
        // Entries of a file at other times are not seconds of the run.
        let lists = runs.map { run in
            run.intervals.filter { 0...Self.secondsMax ~= $0.at && 0...Self.secondsMax ~= $0.seconds }
        }
        if lists.count == 1 {
            let list = lists[0]
            let step = max(1, (list.count + Self.momentsMax - 1) / Self.momentsMax)
            var groups = stride(from: 0, to: list.count, by: step).map { Array(list[$0..<min($0 + step, list.count)]) }
            // The fraction of a second in which a run ended has no figures worth a place.
            if let rest = groups.last, groups.count > 1, rest.count == 1, rest[0].seconds < 0.5 {
                groups.removeLast()
                groups[groups.count - 1] += rest
            }
            times = groups.compactMap(\.last?.at)
            stretches = [groups]
            self.step = step
        } else {
            // Two runs meet at whole seconds, whatever the milliseconds.
            let last = lists.joined().map(\.at).max() ?? 0
            let step = max(1, Int((last / Double(Self.momentsMax)).rounded(.up)))
            let count = 1 + Self.place(of: last, step, .max)
            times = (0..<count).map { Double(($0 + 1) * step) }
            stretches = lists.map { list in
                var groups = [[IntervalRecord]](repeating: [], count: count)
                for interval in list {
                    groups[Self.place(of: interval.at, step, count)].append(interval)
                }
                return groups
            }
            self.step = step
        }
        length = max(times.last ?? 0, 1)
    }

    /// Which stretch of `step` seconds an interval ended in, or half a second after.
    private static func place(of end: Double, _ step: Int, _ count: Int) -> Int {
        min(count - 1, max(0, Int(((end - 0.5) / Double(step)).rounded(.up)) - 1))
    }

    /// The mean of a figure over the intervals of each place, weighted by their lengths.
    func mean(_ run: Int, _ value: (IntervalRecord) -> Double?) -> [Double?] {
        stretches[run].map { intervals in
            let measured = intervals.compactMap { interval in
                value(interval).flatMap { $0.isFinite && interval.seconds > 0 ? ($0, interval.seconds) : nil }
            }
            let length = measured.reduce(0) { $0 + $1.1 }
            return length > 0 ? measured.reduce(0) { $0 + $1.0 * $1.1 } / length : nil
        }
    }

    func most(_ run: Int, _ value: (IntervalRecord) -> Double?) -> [Double?] { each(run, value) { $0.max() } }
    func sum(_ run: Int, _ value: (IntervalRecord) -> Double?) -> [Double?] { each(run, value) { $0.reduce(0, +) } }

    private func each(
        _ run: Int, _ value: (IntervalRecord) -> Double?, _ join: ([Double]) -> Double?
    ) -> [Double?] {
        stretches[run].map { intervals in
            let values = intervals.compactMap(value).filter(\.isFinite)
            return values.isEmpty ? nil : join(values)
        }
    }

    var places: [Chart.Place] {
        times.map { Chart.Place(x: min($0 / length, 1), label: ChartUnit.seconds.text($0)) }
    }

    var ticks: [Chart.Place] {
        ChartScale([length], unit: .seconds, endsAtMost: true).ticks.map {
            Chart.Place(x: $0 / length, label: ChartUnit.seconds.tick($0))
        }
    }

    /// The starts of the scenario's phases, for a run that has more than one.
    func phases(_ run: Int) -> [Chart.Phase] {
        var phases: [Chart.Phase] = []
        for interval in stretches[run].joined() {
            guard let name = interval.phase, name != phases.last?.name else { continue }
            phases.append(Chart.Phase(name: name, begin: min(1, max(0, (interval.at - interval.seconds) / length))))
        }
        // Names that would stand on each other say nothing.
        return phases.count > 1 && phases.count <= 12 ? phases : []
    }
}
