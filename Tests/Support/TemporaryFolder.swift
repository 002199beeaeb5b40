package import Glibc
import SonaBase

/// A folder for one test, gone with the last reference to it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        var template = Array("/tmp/sona-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("There is no room for a temporary folder.") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.remove(path) }

    package func file(_ name: String) -> String { path + "/" + name }

    package static func bytes(ofFile path: String) -> [UInt8]? { try? WholeFile.read(path) }

    package static func write(_ bytes: [UInt8], toFile path: String, mode: mode_t = 0o600) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        precondition(file >= 0, "The test can't write its file.")
        fchmod(file, mode)
        precondition((try? WholeFile.write(bytes, to: file)) != nil, "The test can't write its file.")
        close(file)
    }

    package static func mode(ofFile path: String) -> UInt32? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    private static func remove(_ path: String) {
        if let folder = opendir(path) {
            var names: [String] = []
            while let entry = readdir(folder) {
                names.append(
                    withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                    })
            }
            closedir(folder)
            for name in names where name != "." && name != ".." { remove(path + "/" + name) }
        }
        // A database that is just closing removes files of its own.
        if Glibc.remove(path) != 0, errno != ENOENT { perror(path) }
    }
}
