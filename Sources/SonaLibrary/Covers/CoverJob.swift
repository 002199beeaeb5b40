internal import SonaMedia
internal import SonaModel
internal import SonaWire

/// Finds the colours of covers, and makes the small sizes of them ahead of those who look at lists.
struct CoverJob: JobKind {
    static let name = "cover"
    /// Tracks of one job: a few seconds of a core.
    static let batchTracks = 100

    let covers: CoverStore

    var name: String { Self.name }
    var width: Int { 1 }

    func run(_ job: RunningJob) throws {
        let tracks = job.payload.tracks ?? []
        for (index, track) in tracks.enumerated() {
            job.progress(Int64(index), of: Int64(tracks.count))
            try job.check()
            do throws(PictureWorkers.Failure) { try covers.findColor(track) } catch {
                throw JobFailure("busy", "There is no worker for pictures to be had.", mayRetry: true)
            }
        }
        job.progress(Int64(tracks.count), of: Int64(tracks.count))
    }

    func ended(_ job: Job, _ payload: JobPayload) async {
        guard job.state == .done, let last = payload.tracks?.last else { return }
        await covers.findColors(after: last)
    }
}
