internal import Glibc
internal import SonaDatabase
internal import SonaModel
internal import SonaTranscode
internal import SonaWire

/// Measures tracks: loudness, true peak, and the outline for a scrub bar.
struct MeasureJob: JobKind {
    static let name = "measure"
    /// Tracks of one job of the server's own: some two minutes of a core.
    static let batchTracks = 50

    let files: TrackFiles
    let transcoder: Transcoder
    let clock: WallClock
    /// Called when a job of the server's own is done, with the last of its tracks.
    let goOn: @Sendable (Int64) async -> Void

    var name: String { Self.name }
    var width: Int { 1 }

    func run(_ job: RunningJob) throws {
        let tracks = job.payload.tracks ?? []
        let total = Int64(tracks.count)
        for (index, track) in tracks.enumerated() {
            job.progress(Int64(index), of: total)
            try job.check()
            try measure(track, job)
        }
        job.progress(total, of: total)
    }

    func ended(_ job: Job, _ payload: JobPayload) async {
        guard job.state == .done, job.track == nil, let last = payload.tracks?.last else { return }
        await goOn(last)
    }

    private func measure(_ number: Int64, _ job: RunningJob) throws {
        let found: TrackFiles.Found?
        do {
            found = try files.database.readNow { db in
                guard let track = try db.first(TrackRecord.self, key: number) else { return nil }
                let found = try TrackFiles.find(track, in: &db)
                let known = try db.first(TrackMeasureRecord.self, key: number)
                return known?.isCurrent(for: found) == true ? nil : found
            }
        } catch is Refusal {
            // Gone, or not there: it is measured when it is back.
            return
        }
        guard let found, let input = files.open(found) else { return }
        defer { close(input) }
        var record = TrackMeasureRecord(
            track: number, source: found.source, measuredMilliseconds: clock.nowMilliseconds())
        var loudness: Transcoder.Loudness?
        do throws(TranscodeError) {
            let measures = try transcoder.measure(input) { job.stop != nil }
            record.peaks = measures.peaks
            loudness = measures.loudness
        } catch {
            try job.check()
            let failure = JobFailure(error)
            if failure.mayRetry || error.code == .noProgram { throw failure }
            (record.problem, record.detail) = (failure.word, failure.line)
        }
        try store(record, loudness)
    }

    private func store(_ record: TrackMeasureRecord, _ loudness: Transcoder.Loudness?) throws {
        let integrated = loudness.map { Self.hundredths($0.integrated) }
        let peak = loudness.map { Self.hundredths($0.truePeak) }
        try files.database.writeNow { db in
            guard try db.exists(TrackRecord.self, key: record.track) else { return }
            try db.upsert(record)
            try db.execute(
                "UPDATE tracks SET loudness = \(integrated), peak = \(peak) WHERE number = \(record.track)")
        }
    }

    /// Silence has no peak in decibels; −100 dBTP stands for it.
    static func hundredths(_ decibels: Double) -> Int {
        Int((max(-100, min(100, decibels)) * 100).rounded())
    }
}

extension TrackMeasureRecord {
    func isCurrent(for found: TrackFiles.Found) -> Bool {
        version == Self.currentVersion && source == found.source
    }
}
