internal import Foundation

/// An authority and the certificates it has signed, made by the `openssl` program while the tests run.
package struct TestCertificate: Sendable {
    private let folder: TemporaryFolder
    /// The certificate that clients have to trust.
    package var authority: String { folder.file("authority.pem") }

    /// One for all tests of a process; its `server` is `localhost`, `127.0.0.1` and `::1`.
    package static let shared = TestCertificate()

    package init() {
        folder = TemporaryFolder()
        Self.run(
            ["req", "-x509"] + Self.newKey
                + [
                    "-keyout", folder.file("authority.key"), "-out", authority, "-days", "2", "-subj",
                    "/CN=Sona test authority",
                ])
        sign("server", for: "DNS:localhost,IP:127.0.0.1,IP:::1")
    }

    /// The certificate with its chain, and its key, by the name it was signed under.
    package func certificate(_ name: String = "server") -> String { folder.file("\(name).pem") }
    package func key(_ name: String = "server") -> String { folder.file("\(name).key") }
    package func file(_ name: String) -> String { folder.file(name) }

    /// Makes a certificate for other names, in OpenSSL's words, and with another kind of key.
    package func sign(_ name: String, for names: String, key: [String] = Self.newKey) {
        let extensions = file("\(name).ext")
        TemporaryFolder.write(Array("subjectAltName=\(names)\nbasicConstraints=CA:FALSE\n".utf8), toFile: extensions)
        let request = file("\(name).request")
        Self.run(["req"] + key + ["-keyout", self.key(name), "-out", request, "-subj", "/CN=\(name)"])
        Self.run([
            "x509", "-req", "-in", request, "-CA", authority, "-CAkey", folder.file("authority.key"), "-CAcreateserial",
            "-days", "2", "-extfile", extensions, "-out", certificate(name),
        ])
    }

    package static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    /// Runs the program to its end. Returns what it said, on either channel.
    @discardableResult
    package static func run(_ arguments: [String], input: String = "") -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        let (output, words) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = output
        process.standardInput = words
        do { try process.run() } catch { fatalError("There is no openssl: \(error)") }
        words.fileHandleForWriting.write(Data(input.utf8))
        try? words.fileHandleForWriting.close()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return said
    }
}
