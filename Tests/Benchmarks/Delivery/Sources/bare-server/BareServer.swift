import ArgumentParser
import Glibc

/// Every binary message that a connection to `/pub` sends goes to all connections to `/`, what comes to `/pub/3` to those to
/// `/3`: by epoll, on one thread, with one `send()` of a frame built once. Nothing that a server written in whatever language does per delivery can be less.
@main
struct BareServer: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "bare-server")

    @Option(help: "0 takes a free one and prints it.")
    var port: UInt16 = 0

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        let loop = try Loop(port: port)
        print("listening on http://127.0.0.1:\(loop.port)")
        fflush(nil)
        loop.run()
    }
}

struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ attempted: String) { description = "\(attempted): \(String(cString: strerror(errno)))" }
}
