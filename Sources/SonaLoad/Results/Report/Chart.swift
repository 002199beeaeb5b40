/// A picture of figures over time, or over the percentiles.
struct Chart: Sendable {
    enum Form: Sendable {
        case line
        /// A thin line behind the others.
        case background
        /// The line of the other run, which can be told apart without its colour.
        case dashed
        case bars
    }

    struct Series: Sendable {
        var name: String
        /// One of the page's colours: `c1`, `red`.
        var color: String
        var form = Form.line
        /// One value for each place of the chart; nil where nothing was measured.
        var values: [Double?]
    }

    /// A stretch of the time axis that has a name.
    struct Phase: Sendable {
        var name: String
        var begin: Double
    }

    /// The place of a value on the horizontal axis.
    struct Place: Sendable {
        /// 0 to 1.
        var x: Double
        /// For people.
        var label: String
    }

    /// Identifier in the page's addresses and names.
    var id: String
    var title: String
    /// A sentence about its meaning and how to read it.
    var note: String
    /// The meaning of a row of its table: `time`, `percentile`.
    var rowName: String
    var unit: ChartUnit
    var isLogarithmic = false
    var places: [Place]
    /// Ticks of the horizontal axis.
    var ticks: [Place]
    var phases: [Phase] = []
    var series: [Series]

    /// Most rows of its table: a longer one is thinned out, and says so.
    static let rowsMax = 150

    /// Whether there is anything to see.
    var isEmpty: Bool { series.allSatisfy { $0.values.allSatisfy { $0 == nil } } }
}
