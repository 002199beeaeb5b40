internal import Glibc
internal import SonaBase
internal import SonaSandbox

/// The worker's side: one run of the program as a worker, from its sandbox to its answer.
///
/// States: *free* → `Sandbox.enter` → *limited*, greets → reads all of its input → works → answers → ends. No foreign
/// byte is read before the greeting.
public enum WorkerKind: String, Sendable, CaseIterable {
    /// A photo in, three sizes and a colour out.
    case picture
    /// The tags and sound properties of music files, which it is given open, one batch after the other (`SoundScanner`).
    case scan
    /// A picture or a music file in, the picture or the embedded one out, as `picture` does it in the sizes of covers.
    case cover
    /// Takes no input and reports which calls the sandbox refuses, for tests and for operators.
    case probe

    /// Limits this process, reads standard input to its end, answers on standard output. Main thread.
    ///
    /// - Returns: The status to end with: 0, or 71 if the sandbox or the answer failed.
    public func run() -> Int32 {
        var limits = Sandbox.Limits()
        if self == .scan {
            limits.receivesFiles = true
            limits.processorSeconds = 86_400
        }
        // TagLib looks for places in a file, which a descriptor can do that is no pipe.
        if self == .cover { limits.receivesFiles = true }
        guard let sandbox = Sandbox.enter(limits), Self.write(WorkerAnswer.greeting(sandbox)) else { return 71 }
        let answer: [UInt8]
        switch self {
        case .scan: return SoundScanner.serve() ? 0 : 71
        case .picture: answer = PictureMessage.answer(to: Self.readInput(bytesMax: PictureMessage.inputBytesMax))
        case .cover: answer = CoverPicture.answer()
        case .probe: answer = SandboxProbe.report()
        }
        return Self.write(WorkerAnswer.framed(answer)) ? 0 : 71
    }

    /// Standard input, of which the rest is left unread: endless input ends here.
    static func readInput(bytesMax: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytesMax) { buffer, count in
            while count < bytesMax {
                let got = read(STDIN_FILENO, buffer.baseAddress.map { $0 + count }, bytesMax - count)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                count += got
            }
        }
    }

    private static func write(_ bytes: [UInt8]) -> Bool {
        (try? WholeFile.write(bytes, to: STDOUT_FILENO)) != nil
    }
}
