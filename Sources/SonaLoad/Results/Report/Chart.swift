/// A picture of figures over time, or over the percentiles.
struct Chart: Sendable {
    enum Form: Sendable {
        case line
        /// A thin line behind the others.
        case background
        /// Of the other run: to be told apart without its colour.
        case dashed
        case bars
    }

    struct Series: Sendable {
        var name: String
        /// Of the page's colours: `c1`, `red`.
        var color: String
        var form = Form.line
        /// As many as the chart has places; nil where nothing was measured.
        var values: [Double?]
    }

    /// A stretch of the time axis that has a name.
    struct Phase: Sendable {
        var name: String
        var begin: Double
    }

    /// Where a value stands on the horizontal axis.
    struct Place: Sendable {
        /// 0 to 1.
        var x: Double
        /// For people.
        var label: String
    }

    /// In the page's addresses and names.
    var id: String
    var title: String
    /// What it shows and how to read it: a sentence.
    var note: String
    /// What a row of its table is: `time`, `percentile`.
    var rowName: String
    var unit: ChartUnit
    var isLogarithmic = false
    var places: [Place]
    /// Ticks of the horizontal axis.
    var ticks: [Place]
    var phases: [Phase] = []
    var series: [Series]

    /// Rows that its table has at most: what is longer is thinned out, and says so.
    static let rowsMax = 150

    /// Whether there is anything to see.
    var isEmpty: Bool { series.allSatisfy { $0.values.allSatisfy { $0 == nil } } }
}
