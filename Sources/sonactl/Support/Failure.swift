internal import Glibc
internal import SonaAudio
internal import SonaClient

/// How a command ends other than well: one sentence for standard error, and the exit code (see `sonactl --help`).
struct Failure: Error {
    var exitCode: Int32
    /// Empty where everything has been said.
    var message: String

    init(_ exitCode: Int32, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    /// Nil for errors of the argument parser, which words them itself.
    init?(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ClientError: self.init(error)
        case let error as AudioError: self.init(error)
        case let error as RecordingError: self.init(74, Console.printable(error.description))
        case let error as CredentialError: self.init(error.exitCode, Console.printable(error.description))
        case let error as HostError:
            switch error {
            case .client(let error): self.init(error)
            case .audio(let error): self.init(error)
            case .roomClosed: self.init(66, error.description)
            case .removed(let removed): self.init(removed)
            case .lostSeat: self.init(77, Console.printable(error.description))
            }
        default: return nil
        }
    }

    private init(_ error: AudioError) {
        var code: Int32 = 65
        if case .io(let number) = error.code {
            code = [ENOENT, ENOTDIR, EISDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG].contains(number) ? 66 : 74
        }
        self.init(code, Console.printable(error.description))
    }
}
