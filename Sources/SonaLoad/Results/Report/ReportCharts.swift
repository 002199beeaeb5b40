internal import Glibc
internal import SonaBase

/// The charts of one run, or of two in the same pictures: then each has one figure, and a run has one colour throughout.
struct ReportCharts: Sendable {
    private let runs: [RunRecord]
    private let names: [String]
    private let moments: ReportMoments

    /// - Parameter names: Of the runs, where there are two.
    init(_ runs: [RunRecord], names: [String]) {
        (self.runs, self.names) = (runs, names)
        moments = ReportMoments(runs)
    }

    /// Those that have something to show.
    var all: [Chart] {
        let isOne = runs.count == 1
        var charts = isOne ? [delay] : delays
        charts.append(
            percentiles(
                "percentiles", "Delay by percentile",
                "How long this share of the deliveries took at most.",
                \.delays))
        charts += [rate, listeners, isOne ? losses : lossesCompared, isOne ? cpu : cpuOfServer, memory]
        charts.append(
            percentiles(
                "joins", "Join by percentile",
                "From the request to join to the first packet.",
                \.joins))
        return charts.filter { !$0.isEmpty }
    }

    // MARK: Over the percentiles

    /// The horizontal axis is logarithmic in the share of greater values: 90 %, 99 % and 99.9 % are equally far apart.
    ///
    /// Source: the percentile plots of HdrHistogram.
    private func percentiles(
        _ id: String, _ title: String, _ note: String, _ histogram: (RunRecord) -> Histogram?
    ) -> Chart {
        let histograms = runs.map(histogram)
        let nines = log10(Double(max(2, histograms.compactMap { $0?.count }.max() ?? 2)))
        let steps = 240
        let shares = (0...steps).map { 1 - pow(10, -nines * Double($0) / Double(steps)) }
        let series = histograms.enumerated().map { number, histogram in
            let found = histogram?.percentiles(shares) ?? []
            let values = zip(0..., shares).map { index, share -> Double? in
                // Beyond its last value a run says nothing.
                guard let histogram, index < found.count, (1 - share) * Double(histogram.count) > 0.999_999 else {
                    return nil
                }
                return Double(found[index]) / 1000
            }
            return Chart.Series(
                name: runs.count == 1 ? "within" : names[number], color: "c\(number + 1)", form: Self.form(number),
                values: values)
        }
        let ticks = (0...Int(nines)).map { count in
            Chart.Place(x: count == 0 ? log10(2) / nines : Double(count) / nines, label: Self.nines(count))
        }
        return Chart(
            id: id, title: title, note: note, rowName: "percentile", unit: .milliseconds,
            isLogarithmic: Self.isWide(series),
            places: zip(0..., shares).map { index, share in
                Chart.Place(x: Double(index) / Double(steps), label: Self.percent(share))
            },
            ticks: ticks, series: series)
    }

    /// 50 %, 90 %, 99 %, 99.9 %, …
    private static func nines(_ count: Int) -> String {
        switch count {
        case 0: "50 %"
        case 1: "90 %"
        case 2: "99 %"
        default: "99." + String(repeating: "9", count: count - 2) + " %"
        }
    }

    /// The percentage, with enough digits to tell it from 100 %.
    private static func percent(_ share: Double) -> String {
        let beyond = max(1e-12, 1 - share)
        let decimals = max(1, Int((-log10(beyond)).rounded(.up)) - 1)
        return Figures.trimmed(Figures.fixed(share * 100, min(9, decimals))) + " %"
    }

    // MARK: Over time

    private var delay: Chart {
        let series = [
            Chart.Series(name: "p50", color: "c1", values: moments.mean(0, \.p50)),
            Chart.Series(name: "p99", color: "c2", values: moments.most(0, \.p99)),
            Chart.Series(name: "max", color: "c3", form: .background, values: moments.most(0, \.max)),
        ]
        return overTime(
            "delay", "Delay", "From when a packet should have been sent to its receipt", .milliseconds, series,
            isLogarithmic: Self.isWide(series))
    }

    private var delays: [Chart] {
        [
            ("p50", "Delay, p50", "The median of each second", { moments.mean($0, \.p50) }),
            (
                "p99", "Delay, p99", "Of each second, what all but a hundredth stayed within",
                { moments.most($0, \.p99) }
            ),
            ("max", "Delay, longest", "The longest of each second", { moments.most($0, \.max) }),
        ].map { (id: String, title: String, note: String, values: (Int) -> [Double?]) in
            let series = compared(values)
            return overTime(
                "delay-\(id)", title, note, .milliseconds, series, isLogarithmic: Self.isWide(series))
        }
    }

    private var rate: Chart {
        let series =
            runs.count == 1
            ? [Chart.Series(name: "deliveries", color: "c1", values: moments.mean(0, \.rate))]
            : compared { moments.mean($0, \.rate) }
        return overTime("rate", "Rate", "Packets received by all listeners together", .perSecond, series)
    }

    private var listeners: Chart {
        let series =
            runs.count == 1
            ? [Chart.Series(name: "listeners", color: "c4", values: moments.most(0) { Double($0.listeners) })]
            : compared { moments.most($0) { Double($0.listeners) } }
        return overTime("listeners", "Listeners", "In their rooms at the end of each second", .count, series)
    }

    private var losses: Chart {
        func bars(_ name: String, _ color: String, _ value: (IntervalRecord) -> Int) -> Chart.Series? {
            let values = moments.sum(0) { Double(value($0)) }
            let hasSome = values.contains { $0 ?? 0 > 0 }
            return hasSome || name == "lost" ? Chart.Series(name: name, color: color, form: .bars, values: values) : nil
        }
        // Each series is drawn over the one before: skipped packets are a part of the lost ones.
        let series = [
            bars("duplicates", "c5", \.duplicates), bars("lost", "red", \.lost),
            bars("skipped, of the lost", "amber", \.skipped),
        ]
        let isClean = runs[0].intervals.allSatisfy { $0.lost == 0 && $0.duplicates == 0 }
        return overTime(
            "losses", "Losses",
            isClean
                ? "Nothing was lost or doubled"
                : "Found missing in each second, left out by the server, or doubled", .count,
            series.compactMap { $0 })
    }

    private var lossesCompared: Chart {
        overTime(
            "losses", "Losses", "Packets found missing in each second", .count,
            compared { moments.sum($0) { Double($0.lost) } })
    }

    private var cpu: Chart {
        let series = [
            Chart.Series(name: "server", color: "c1", values: moments.mean(0, \.serverCPU)),
            Chart.Series(name: "harness", color: "c3", values: moments.mean(0, \.harnessCPU)),
        ]
        return overTime(
            "cpu", "Processor", "Of one core, over all threads", .cores,
            series.filter { $0.values.contains { $0 != nil } })
    }

    private var cpuOfServer: Chart {
        overTime(
            "cpu", "Server's processor", "Of one core, over all threads", .cores,
            compared { moments.mean($0, \.serverCPU) })
    }

    private var memory: Chart {
        let series =
            runs.count == 1
            ? [
                Chart.Series(
                    name: "server", color: "c1", values: moments.most(0) { $0.serverResidentBytes.map(Double.init) })
            ]
            : compared { moments.most($0) { $0.serverResidentBytes.map(Double.init) } }
        return overTime("memory", "Server's memory", "Resident at the end of each second", .bytes, series)
    }

    // MARK: Making

    private func compared(_ values: (Int) -> [Double?]) -> [Chart.Series] {
        runs.indices.map {
            Chart.Series(name: names[$0], color: "c\($0 + 1)", form: Self.form($0), values: values($0))
        }
    }

    private static func form(_ run: Int) -> Chart.Form { run == 0 ? .line : .dashed }

    /// Whether a few values would press the others to the ground.
    private static func isWide(_ series: [Chart.Series]) -> Bool {
        let values = series.flatMap { $0.values.compactMap { $0 } }
        return (values.max() ?? 0) > 30 * max(0.001, values.min() ?? 0)
    }

    private func overTime(
        _ id: String, _ title: String, _ note: String, _ unit: ChartUnit, _ series: [Chart.Series],
        isLogarithmic: Bool = false
    ) -> Chart {
        var sentence = note
        if isLogarithmic { sentence += "; the axis is logarithmic" }
        if moments.step > 1 { sentence += "; each point stands for \(moments.step) s" }
        return Chart(
            id: id, title: title, note: sentence + ".", rowName: "time", unit: unit, isLogarithmic: isLogarithmic,
            places: moments.places, ticks: moments.ticks, phases: runs.count == 1 ? moments.phases(0) : [],
            series: series)
    }
}
