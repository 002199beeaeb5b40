internal import Glibc
internal import SonaDatabase
internal import SonaModel
internal import SonaSandbox
internal import SonaTranscode
internal import SonaWire

/// Makes the rendition of a track (`RenditionKind`).
struct RenditionJob: JobKind {
    let kind: RenditionKind
    let files: TrackFiles
    let renditions: Renditions
    let transcoder: Transcoder
    let width: Int

    var name: String { kind.job }

    /// kb/s.
    private static let bitrate = 128
    /// Seconds of a preview, and of its beginning and end.
    private static let (previewSeconds, fadeSeconds) = (30.0, 1.5)

    func run(_ job: RunningJob) throws {
        guard let id = job.track else { throw JobFailure("track_gone", "The track is gone.") }
        let (found, neighbours): (TrackFiles.Found, TrackFiles.Neighbours)
        do {
            (found, neighbours) = try files.database.readNow { db in
                let found = try TrackFiles.find(id, in: &db)
                return (found, try TrackFiles.neighbours(of: found, in: &db))
            }
        } catch let refusal as Refusal {
            throw JobFailure("track_gone", refusal.code.meaning)
        }
        let name = Renditions.name(found, kind, neighbours)
        if renditions.has(name) { return }
        guard let input = files.open(found) else {
            throw JobFailure("track_unavailable", "The file of the track is not there just now.", mayRetry: true)
        }
        defer { close(input) }
        let milliseconds = found.track.durationMilliseconds
        let excerpt = kind == .preview ? Self.excerpt(ofMilliseconds: milliseconds) : nil
        let seconds = excerpt?.length ?? Double(milliseconds) / 1000
        // Of a track whose length is unknown, at most as much as the limits of the program allow.
        let bytes = seconds > 0 ? Int64(seconds * Double(Self.bitrate) * 125) : 0
        var transcoder = transcoder
        if bytes > 0 { transcoder.program.limits.outputBytesMax = Int(2 * bytes) + (1 << 20) }
        job.progress(0, of: bytes)
        let edges = kind == .full ? edges(of: found, neighbours, job) : nil
        try renditions.make(name, bytes: bytes) { output, grew in
            func look() -> Bool {
                grew()
                let size = Self.size(of: output)
                job.progress(bytes > 0 ? min(size, bytes) : size, of: bytes)
                return job.stop != nil
            }
            func encode(_ excerpt: Transcoder.Excerpt?) throws(TranscodeError) {
                if let edges {
                    return try transcoder.encode(
                        input, between: edges, into: output, bitrate: Self.bitrate, isCancelled: look)
                }
                try transcoder.encode(
                    input, into: output, bitrate: Self.bitrate, excerpt: excerpt, measures: false, isCancelled: look)
            }
            do throws(TranscodeError) {
                try encode(excerpt)
                // A file that was cut is shorter than it says, and may have nothing from a third of that on.
                if var excerpt, Self.size(of: output) < Self.emptyBytesMax {
                    guard ftruncate(output, 0) == 0, lseek(output, 0, SEEK_SET) == 0 else { return }
                    excerpt.start = 0
                    try encode(excerpt)
                }
            } catch {
                try job.check()
                throw JobFailure(error)
            }
            if excerpt != nil, Self.size(of: output) < Self.emptyBytesMax {
                throw JobFailure("undecodable", "The file has no sound in it.")
            }
        }
        let size = renditions.bytes(of: name)
        job.progress(size, of: size)
    }

    /// The sound beside a track. A neighbour that can't be read has none.
    private func edges(
        of found: TrackFiles.Found, _ neighbours: TrackFiles.Neighbours, _ job: RunningJob
    ) -> Transcoder.Edges? {
        guard var edges = Transcoder.Edges(rate: found.track.sampleRate, channels: found.track.channels) else {
            return nil
        }
        func sound(_ end: Transcoder.End, of neighbour: TrackFiles.Found?) -> [UInt8] {
            guard let neighbour, let file = files.open(neighbour) else { return [] }
            defer { close(file) }
            let seconds = Double(neighbour.track.durationMilliseconds) / 1000
            return (try? transcoder.edge(end, of: file, for: edges, seconds: seconds) { job.stop != nil }) ?? []
        }
        let (before, after) = (sound(.end, of: neighbours.before), sound(.beginning, of: neighbours.after))
        guard !before.isEmpty || !after.isEmpty else { return nil }
        (edges.before, edges.after) = (before, after)
        return edges
    }

    /// More than an excerpt has without any sound: 165 bytes of heads. Three packets of silence make it more.
    private static let emptyBytesMax: Int64 = 220

    private static func size(of file: Int32) -> Int64 {
        var status = stat()
        return fstat(file, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// From a third of the track on; half of the track if that is shorter.
    static func excerpt(ofMilliseconds milliseconds: Int64) -> Transcoder.Excerpt {
        let seconds = Double(milliseconds) / 1000
        guard seconds > 0 else { return Transcoder.Excerpt(start: 0, length: previewSeconds, fade: fadeSeconds) }
        let length = min(previewSeconds, seconds / 2)
        return Transcoder.Excerpt(start: seconds / 3, length: length, fade: min(fadeSeconds, length / 4))
    }
}

extension JobFailure {
    init(_ error: TranscodeError) {
        switch error.code {
        case .noProgram: self.init("no_program", "The program that reads sound is not installed on the server.")
        case .notStarted: self.init("not_started", "The program that reads sound does not start.", mayRetry: true)
        case .unsupported: self.init("not_sound", "The file \(error.description).")
        case .failed: self.init("undecodable", "The file \(error.description).")
        case .cancelled: self.init("interrupted", "It was not done to its end.", mayRetry: true)
        }
    }
}
