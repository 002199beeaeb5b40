internal import Glibc
internal import SonaBase
internal import SonaCrypto

/// The keys of a data folder as one secret.
///
/// ```
/// count 2   (name length 2   name   length 4   bytes) × count      numbers big-endian
/// ```
enum KeyFolder {
    private static let fileBytesMax = 64 << 10
    /// The journal's anchor is read first: it must never be ahead of the database that is copied after it.
    private static let first = "journal.head"

    /// - Throws: `io` if a key can't be read.
    static func read(_ folder: String) throws(BackupError) -> [UInt8] {
        let names = FolderContent.names(folder).filter { !$0.hasSuffix(".tmp") }
            .sorted { ($0 != first ? 1 : 0, $0) < ($1 != first ? 1 : 0, $1) }
        var files: [(name: String, bytes: [UInt8])] = []
        for name in names {
            do throws(WholeFile.Failure) {
                files.append((name, try WholeFile.read("\(folder)/\(name)", bytesMax: fileBytesMax)))
            } catch { throw BackupError(.io, "The key \(folder)/\(name) can't be read: \(error).") }
        }
        var secret = number(files.count, bytes: 2)
        for file in files {
            secret += number(file.name.utf8.count, bytes: 2) + Array(file.name.utf8)
            secret += number(file.bytes.count, bytes: 4) + file.bytes
        }
        return secret
    }

    /// Writes the files into a new folder.
    ///
    /// - Throws: `damaged` for bytes that `read` has not made; `io`.
    static func write(_ secret: [UInt8], to folder: String) throws(BackupError) {
        var rest = secret[...]
        let damaged = BackupError(.damaged, "The keys in the backup are damaged.")
        func take(_ count: Int) throws(BackupError) -> ArraySlice<UInt8> {
            guard rest.count >= count else { throw damaged }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func takeNumber(_ bytes: Int) throws(BackupError) -> Int { try take(bytes).reduce(0) { $0 << 8 | Int($1) } }
        guard mkdir(folder, 0o700) == 0 else { throw .system("made", folder) }
        for _ in 0..<(try takeNumber(2)) {
            let name = String(decoding: try take(try takeNumber(2)), as: UTF8.self)
            guard !name.isEmpty, name != ".", name != "..", !name.contains("/"), !name.utf8.contains(0) else {
                throw damaged
            }
            try FileWork.replace("\(folder)/\(name)", Array(try take(try takeNumber(4))))
        }
        guard rest.isEmpty else { throw damaged }
    }

    private static func number(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// The passphrase that the keys of a backup are encrypted with.
package struct BackupPassphrase: Sendable {
    let bytes: [UInt8]

    /// The first line of a file that only its owner may read.
    ///
    /// - Throws: `passphrase`.
    package init(file path: String) throws(BackupError) {
        let content: [UInt8]?
        do throws(SecretFile.Failure) { content = try SecretFile.read(path, bytesMax: 4_096) } catch {
            throw BackupError(
                .passphrase,
                {
                    if case .permissionsTooOpen = error { return "Others may read \(path): chmod 600 it." }
                    return "The passphrase file \(path) can't be read."
                }())
        }
        guard let content else { throw BackupError(.passphrase, "There is no passphrase file \(path).") }
        var line = content.prefix { $0 != UInt8(ascii: "\n") }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard line.count >= PassphraseBox.passphraseBytesMin else {
            throw BackupError(
                .passphrase, "The passphrase in \(path) has fewer than \(PassphraseBox.passphraseBytesMin) bytes.")
        }
        bytes = Array(line)
    }

    func seal(_ secret: [UInt8], backup: String) throws(BackupError) -> [UInt8] {
        do throws(PassphraseBox.OpenError) {
            return try PassphraseBox.seal(secret, passphrase: bytes, context: Array("keys of \(backup)".utf8))
        } catch { throw BackupError(.io, "There is not enough memory to encrypt the keys.") }
    }

    /// - Throws: `passphrase`, `damaged`.
    func open(_ sealed: [UInt8], backup: String) throws(BackupError) -> [UInt8] {
        do throws(PassphraseBox.OpenError) {
            return try PassphraseBox.open(sealed, passphrase: bytes, context: Array("keys of \(backup)".utf8))
        } catch {
            switch error {
            case .wrongPassphrase:
                throw BackupError(.passphrase, "The passphrase is not the one of the backup \(backup).")
            case .notABox: throw BackupError(.damaged, "The keys in the backup \(backup) are damaged.")
            case .outOfMemory: throw BackupError(.io, "There is not enough memory to decrypt the keys.")
            }
        }
    }
}
