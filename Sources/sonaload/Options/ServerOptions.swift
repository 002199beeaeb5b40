internal import ArgumentParser
internal import Glibc
internal import SonaBase
internal import SonaClient
internal import SonaLoad

/// The server, and the credentials to use there.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Address of the server. (default: SONA_SERVER or http://127.0.0.1:8337)", valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "Access token of the account that owns the rooms, 8 at most; otherwise accounts are made for the test, one for "
                + "8 rooms, and removed at its end. (default: SONA_TOKEN)"))
    var token: String?

    @Option(
        name: .customLong("ca-cert"),
        help: ArgumentHelp(
            "PEM file of certificates to trust for https, in place of the system's. (default: SONA_CA_CERT)",
            valueName: "file"))
    var authorityFile: String?

    @Option(
        name: .customLong("server-pid"),
        help: ArgumentHelp(
            "Process of the server on this machine: its processor time and memory are measured.", valueName: "pid"))
    var serverPid: Int32?

    @Flag(name: .customLong("i-own-this-server"), help: "Needed for servers that are not on this machine.")
    var ownsServer = false

    func options() throws -> LoadOptions {
        var options = LoadOptions()
        if let text = server ?? Environment["SONA_SERVER"] {
            do { options.server = try ServerAddress(text) } catch { throw Failure(64, error.description) }
        }
        if let file = authorityFile ?? Environment["SONA_CA_CERT"] {
            guard access(file, R_OK) == 0 else {
                throw Failure(66, "\(Console.printable(file)) can't be read: \(String(cString: strerror(errno))).")
            }
            options.server.authorityFile = file
        }
        options.token = token ?? Environment["SONA_TOKEN"]
        options.mayBeRemote = ownsServer
        options.serverPid = serverPid
        return options
    }
}
