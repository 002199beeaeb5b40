internal import Glibc

/// Why a load test did not happen or did not go on: a sentence for a person and a stable code for programs.
package struct LoadError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Codes of errors. They never change their meaning.
    package enum Code: String, Sendable {
        /// The options or the scenario file do not make sense. Exit code 64.
        case usage = "load.usage"
        /// The server is not on this machine, and nobody said `--i-own-this-server`. Exit code 64.
        case remoteRefused = "load.remote_refused"
        /// A file cannot be read. Exit code 66.
        case unreadable = "load.unreadable"
        /// Nobody answers at the server's address, or the name leads nowhere. Exit code 69.
        case unreachable = "load.unreachable"
        /// The server answered that it will not. Exit code 69.
        case refused = "load.refused"
        /// The server's certificate does not prove who it is. Exit code 69.
        case certificate = "load.certificate"
        /// The server that answers does not speak the protocol. Exit code 69.
        case notSona = "load.not_sona"
        /// Most connections were turned away, as by the limit for one address. Exit code 69.
        case turnedAway = "load.turned_away"
        /// Ctrl-C, before anything was measured. Exit code 130.
        case interrupted = "load.interrupted"
        /// This machine lacks a resource, such as descriptors or memory. Exit code 74.
        case machine = "load.machine"
    }

    package var code: Code
    package var message: String
    /// The server's own code where it refused: `auth.busy`.
    package var serverCode: String?

    /// Stands for the server's code where listeners came in too slowly.
    static let slowJoins = "joins.slow"

    package init(_ code: Code, _ message: String, serverCode: String? = nil) {
        self.code = code
        self.message = message
        self.serverCode = serverCode
    }

    package var description: String { "\(message) (\(serverCode ?? code.rawValue))" }

    /// The exit code, as the command line promises it.
    package var exitCode: Int32 {
        switch code {
        case .usage, .remoteRefused: 64
        case .unreadable: 66
        case .unreachable, .refused, .certificate, .notSona, .turnedAway: 69
        case .machine: 74
        case .interrupted: 130
        }
    }

    /// The attempted call, with the system's error.
    static func system(_ code: Code, _ attempted: String, _ number: Int32 = errno) -> LoadError {
        LoadError(code, "Could not \(attempted): \(String(cString: strerror(number))).")
    }
}
