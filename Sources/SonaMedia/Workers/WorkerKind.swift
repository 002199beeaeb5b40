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
    /// Takes no input and reports which calls the sandbox refuses, for tests and for operators.
    case probe

    /// Limits this process, reads standard input to its end, answers on standard output. Main thread.
    ///
    /// - Returns: The status to end with: 0, or 71 if the sandbox or the answer failed.
    public func run() -> Int32 {
        guard let sandbox = Sandbox.enter(), Self.write(WorkerAnswer.greeting(sandbox)) else { return 71 }
        let answer =
            switch self {
            case .picture: PictureMessage.answer(to: Self.readInput(bytesMax: PictureMessage.inputBytesMax))
            case .probe: SandboxProbe.report()
            }
        return Self.write(WorkerAnswer.framed(answer)) ? 0 : 71
    }

    /// Standard input, of which the rest is left unread: endless input ends here.
    private static func readInput(bytesMax: Int) -> [UInt8] {
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
