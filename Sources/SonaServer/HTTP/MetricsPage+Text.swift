internal import SonaEventLoop

extension MetricsPage {
    /// The text of the page.
    struct Page {
        var text = ""

        private mutating func head(_ name: String, _ help: String, _ type: String) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        }

        mutating func gauge(_ name: String, _ help: String, _ value: Int, labels: String = "") {
            head(name, help, "gauge")
            text += "\(name)\(labels) \(value)\n"
        }

        mutating func gauge(_ name: String, _ help: String, _ value: Double) {
            head(name, help, "gauge")
            text += "\(name) \(value)\n"
        }

        mutating func gauges(_ name: String, _ help: String, _ values: [(Int, Double)]) {
            head(name, help, "gauge")
            for (loop, value) in values { text += "\(name){loop=\"\(loop)\"} \(value)\n" }
        }

        /// One gauge for each value of a label.
        mutating func gauges(_ name: String, _ help: String, _ values: [(String, Int)], label: String) {
            head(name, help, "gauge")
            for (value, count) in values { text += "\(name){\(label)=\"\(value)\"} \(count)\n" }
        }

        mutating func counter(_ name: String, _ help: String, _ value: UInt64) {
            head(name, help, "counter")
            text += "\(name) \(value)\n"
        }

        mutating func counter(_ name: String, _ help: String, seconds: Double) {
            head(name, help, "counter")
            text += "\(name) \(seconds)\n"
        }

        mutating func counters(_ name: String, _ help: String, _ values: [(Int, Double)]) {
            head(name, help, "counter")
            for (loop, value) in values { text += "\(name){loop=\"\(loop)\"} \(value)\n" }
        }

        /// One counter for each value of a label.
        mutating func counters(_ name: String, _ help: String, _ values: [(String, UInt64)], label: String) {
            head(name, help, "counter")
            for (value, count) in values { text += "\(name){\(label)=\"\(value)\"} \(count)\n" }
        }

        mutating func histogram(_ name: String, _ help: String, _ values: Distribution, unitsPerSecond: Double) {
            head(name, help, "histogram")
            var sum: UInt64 = 0
            for (count, bound) in zip(values.counts, values.bounds.map { "\(Double($0) / unitsPerSecond)" } + ["+Inf"])
            {
                sum += count
                text += "\(name)_bucket{le=\"\(bound)\"} \(sum)\n"
            }
            text += "\(name)_sum \(Double(values.sum) / unitsPerSecond)\n\(name)_count \(sum)\n"
        }

        mutating func histograms(_ name: String, _ help: String, _ values: [(Int, Lateness)]) {
            head(name, help, "histogram")
            for (loop, lateness) in values {
                var sum: UInt64 = 0
                for (count, bound) in zip(lateness.counts, Lateness.bounds.map { "\(Double($0) / 1e6)" } + ["+Inf"]) {
                    sum += count
                    text += "\(name)_bucket{loop=\"\(loop)\",le=\"\(bound)\"} \(sum)\n"
                }
                text += "\(name)_sum{loop=\"\(loop)\"} \(Double(lateness.sumMicroseconds) / 1e6)\n"
                text += "\(name)_count{loop=\"\(loop)\"} \(sum)\n"
            }
        }
    }
}
