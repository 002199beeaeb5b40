extension Catalogue {
    /// How busy the server was.
    ///
    /// Source: Protocol/spec/figures.md.
    static let figures = Area("figures", requests: [ServerHistory.self])
}

extension Limits {
    /// The feature that announces figures.
    public static let figuresFeature = "figures"
    /// Samples of each series that are kept.
    public static let historySamplesMax = 360
    /// Milliseconds from one sample to the next.
    public static let historyEveryMilliseconds: Int64 = 10_000
    /// Bytes of the name of a series, and of its unit.
    public static let seriesWordBytes = 1...32
}

/// One figure of the server over the last hour.
///
/// Source: Protocol/spec/figures.md, "FigureSeries".
public struct FigureSeries: DeclaredObject, Equatable {
    /// A word of an open list: `listeners`, `resident_bytes`, …
    public var name: String
    /// A word of an open list: `count`, `events`, `bytes`, `sent_bytes`, `us`, `permille`.
    public var unit: String
    /// A value for each time of the history, in the same order.
    public var values: [Int64]

    public init(name: String, unit: String, values: [Int64]) {
        self.name = name
        self.unit = unit
        self.values = values
    }

    public static let declaration = Declaration(
        Member("name", \Self.name, .line(bytes: Limits.seriesWordBytes)),
        Member("unit", \Self.unit, .line(bytes: Limits.seriesWordBytes)),
        Member("values", \Self.values, .integers(0...Limits.integerMax)),
        make: Self.init)
}

/// `server.history`: the server's figures of the last hour.
///
/// Source: Protocol/spec/figures.md, "server.history".
public struct ServerHistory: FieldlessRequest {
    public typealias Response = ServerHistoryResult
    public static let type = "server.history"
    public static let permission: Permission? = .serverInspect

    public init() {}
}

/// The answer to `server.history`.
public struct ServerHistoryResult: DeclaredObject, Equatable {
    /// When the process began, milliseconds since 1970, UTC.
    public var startedMilliseconds: Int64
    /// How far apart samples are meant to be, milliseconds.
    public var everyMilliseconds: Int64
    /// When each sample was taken, milliseconds since 1970, the oldest first.
    public var atMilliseconds: [Int64]
    public var series: [FigureSeries]

    public init(
        startedMilliseconds: Int64, everyMilliseconds: Int64, atMilliseconds: [Int64], series: [FigureSeries]
    ) {
        self.startedMilliseconds = startedMilliseconds
        self.everyMilliseconds = everyMilliseconds
        self.atMilliseconds = atMilliseconds
        self.series = series
    }

    public static let declaration = Declaration(
        Member("started_ms", \Self.startedMilliseconds, .wallTime),
        Member("every_ms", \Self.everyMilliseconds, .number),
        Member("at_ms", \Self.atMilliseconds, .integers(0...Limits.integerMax)),
        Member("series", \Self.series, .objects()),
        make: Self.init)
}
