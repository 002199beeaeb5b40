internal import SonaBase

/// The first line of a file, which is a secret: a password, or a token of an outside issuer. `-` is standard input.
enum SecretLine {
    private static let bytesMax = 16 * 1024

    /// - Parameter what: The name of the secret, such as "a password", for the error message.
    /// - Throws: `Failure` 66 if the file cannot be read, 65 if the line is empty or endless.
    static func read(_ path: String, of what: String) throws -> String {
        let name = path == "-" ? "Standard input" : path
        let line: [UInt8]
        do throws(WholeFile.Failure) {
            line = try WholeFile.firstLine(path, bytesMax: bytesMax)
        } catch {
            if case .system(let operation, _) = error { throw Failure(66, "Cannot \(operation) \(name): \(error).") }
            line = []
        }
        guard !line.isEmpty else { throw Failure(65, "\(name) does not begin with \(what).") }
        return String(decoding: line, as: UTF8.self)
    }
}
