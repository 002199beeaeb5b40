import Glibc
import SonaTestSupport
import Testing

/// `openssl s_server` on 127.0.0.1 with a certificate for that address that nobody vouches for.
///
/// It answers a request for a file of its folder with that file, which holds a whole HTTP answer.
final class TLSTestServer {
    private let folder = TemporaryFolder()
    private let process: pid_t
    let port: Int

    /// To trust it after all.
    var certificate: String { folder.file("certificate.pem") }

    /// - Parameter options: For `s_server`, which versions of TLS it speaks for instance.
    init(files: [String: String] = [:], options: String = "") async throws {
        for (name, text) in files { TemporaryFolder.write(Array(text.utf8), toFile: folder.file(name)) }
        let make = """
            openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -days 2 \
            -subj /CN=test -addext subjectAltName=IP:127.0.0.1
            """
        let making = try Self.shell(make, in: folder.path)
        var status: Int32 = 0
        while waitpid(making, &status, 0) < 0, errno == EINTR {}
        try #require(status == 0, "openssl made no certificate.")
        let serve = "openssl s_server -accept 127.0.0.1:0 -cert certificate.pem -key key.pem -HTTP \(options)"
        process = try Self.shell("exec " + serve, in: folder.path)
        port = try await Self.port(in: folder.file("log"))
    }

    deinit {
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }

    private static func shell(_ command: String, in folder: String) throws -> pid_t {
        let script = "cd \(folder) && exec < /dev/null > log 2>&1 && \(command)"
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/sh"), strdup("-c"), strdup(script), nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        try #require(posix_spawn(&process, "/bin/sh", nil, nil, arguments, environ) == 0)
        return process
    }

    /// Waits for the line that says where it listens.
    private static func port(in log: String) async throws -> Int {
        while true {
            let text = String(decoding: TemporaryFolder.bytes(ofFile: log) ?? [], as: UTF8.self)
            if let line = text.split(separator: "\n").first(where: { $0.hasPrefix("ACCEPT 127.0.0.1:") }),
                text.contains("\(line)\n"), let port = line.split(separator: ":").last.flatMap({ Int($0) })
            {
                return port
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
