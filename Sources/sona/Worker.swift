import ArgumentParser
import Glibc
import SonaMedia

/// `sona worker`: the process that reads foreign bytes for the server.
struct Worker: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Read foreign bytes in the server's place.",
        discussion: """
            The server starts this for each photo, and one for the tags of its music. It limits itself (memory, \
            processor time, descriptors, system calls), says "SONA" and whether system calls are filtered, reads standard input to its end, and answers on standard \
            output: 4 bytes of length, big-endian, and the answer.

            KIND is picture, which makes the three sizes of a photo; cover, which makes those of a cover from a picture, or \
            from the one in a music file; \
            scan, which is given open music files over a socket; or probe, which reads nothing and tells what the \
            limits refuse on this machine:
              sona worker probe | strings

            Exit codes: 0 answered, 64 usage, 71 the limits can't be set or nobody reads the answer.
            """,
        shouldDisplay: false)

    @Argument(help: "picture, cover, scan or probe.") var kind: WorkerKind

    /// Ends the process at once: it has no cleanup of its own to do.
    func run() { _exit(kind.run()) }
}
