internal import Glibc
public import SonaImages
internal import Synchronization

/// Photos made by workers: no decoder runs in the caller's process.
public final class PictureWorkers: Sendable {
    /// Why there is no photo.
    public enum Failure: Error, Sendable, Equatable {
        /// The picture is not taken; as `damaged` also if a worker broke over it.
        case picture(ImageError)
        /// There is no worker to be had just now.
        case unavailable
    }

    /// How many may run at once: one core is left to the audio. Each takes up to 355 MiB, hence never more than four.
    public static let countMax = min(4, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) - 1))

    private let program: WorkerProgram
    private let notice: @Sendable (String) -> Void
    private let hasToldOfFilter = Atomic<Bool>(false)
    private let lastNotice = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter notice: Called with a sentence for the operator: that a worker broke (at most once in ten seconds,
    ///   since anybody may send a file that breaks one), and that this kernel filters no system calls (once).
    public init(_ program: WorkerProgram = WorkerProgram(), notice: @escaping @Sendable (String) -> Void = { _ in }) {
        self.program = program
        self.notice = notice
    }

    /// Has a worker check, shrink and encode a picture. Blocks the calling thread, for 15 s at most.
    public func photo(_ bytes: [UInt8]) throws(Failure) -> Photo {
        try photo(.picture, .bytes(bytes), Photo.squareSides)
    }

    /// Has a worker make a cover of a picture, or of the one that is embedded in a music file. As `photo`, with the squares of
    /// `Photo.coverSquareSides`; an error of a picture also where there is none.
    ///
    /// - Parameter file: A picture or a music file, open for reading. Stays the caller's.
    public func cover(of file: Int32) throws(Failure) -> Photo {
        try photo(.cover, .file(file), Photo.coverSquareSides)
    }

    private func photo(
        _ kind: WorkerKind, _ input: WorkerProgram.Input, _ sides: [Int]
    ) throws(Failure) -> Photo {
        let outcome: Result<Photo, ImageError>
        do throws(WorkerError) {
            let answer = try program.run(kind, reading: input)
            tellOfFilter(answer)
            guard let decoded = PictureMessage.decode(answer.bytes, sides: sides) else {
                throw WorkerError(code: .failed, reason: "said nonsense")
            }
            outcome = decoded
        } catch {
            tell(error)
            guard error.code == .failed else { throw .unavailable }
            throw .picture(ImageError(.damaged, "The picture could not be read."))
        }
        switch outcome {
        case .success(let photo): return photo
        case .failure(let error): throw .picture(error)
        }
    }

    private func tellOfFilter(_ answer: WorkerAnswer) {
        guard !answer.isFiltered, !hasToldOfFilter.exchange(true, ordering: .relaxed) else { return }
        notice("This kernel can't filter the system calls of the photo worker; its other limits hold")
    }

    private func tell(_ error: WorkerError) {
        let now = ContinuousClock.now
        let isDue = lastNotice.withLock { last in
            if let last, now - last < .seconds(10) { return false }
            last = now
            return true
        }
        if isDue { notice("The photo worker \(error.reason)") }
    }
}
