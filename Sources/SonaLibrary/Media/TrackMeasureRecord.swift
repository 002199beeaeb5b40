internal import SonaDatabase

/// Measurements of the sound of a track. The row can be deleted at any time: it is made again.
struct TrackMeasureRecord: Record, Equatable {
    typealias Key = Int64

    /// Raised when a measure is made in another way: then all tracks are measured again.
    static let currentVersion = 1

    let track: Int64
    var version = currentVersion
    /// The state of the file that was measured: size and time of its last change.
    let source: String
    /// 1000 peaks of equal parts, 0 to 255; `nil` if the sound could not be read.
    var peaks: [UInt8]?
    /// Why it could not be measured: a word, and a sentence.
    var problem: String?
    var detail: String?
    let measuredMilliseconds: Int64

    static let track = Column(
        "track", \Self.track, .primaryKey, .references(TrackRecord.self, onDelete: .cascade))
    static let version = Column("version", \Self.version)
    static let source = Column("source", \Self.source)
    static let peaks = Column("peaks", \Self.peaks)
    static let problem = Column("problem", \Self.problem)
    static let detail = Column("detail", \Self.detail)
    static let measured = Column("measured_ms", \Self.measuredMilliseconds)

    static let table = Table<Self>(
        "track_measures", track, version, source, peaks, problem, detail, measured,
        rules: [.check("(peaks IS NULL) <> (problem IS NULL)")])

    func bind(to values: inout Binder) {
        values.next(track)
        values.next(version)
        values.next(source)
        values.next(peaks)
        values.next(problem)
        values.next(detail)
        values.next(measuredMilliseconds)
    }
}

extension TrackMeasureRecord {
    init(row: inout Row) throws(DatabaseError) {
        track = try row.next()
        version = try row.next()
        source = try row.next()
        peaks = try row.next()
        problem = try row.next()
        detail = try row.next()
        measuredMilliseconds = try row.next()
    }
}
