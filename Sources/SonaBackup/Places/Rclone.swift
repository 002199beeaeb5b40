internal import Glibc
internal import SonaBase
internal import SonaSandbox

/// The program rclone, which knows where other machines keep files: one child process for each call.
///
/// It gets this process's environment, where its settings and secrets may be.
struct Rclone: Sendable {
    /// `REMOTE:PATH`.
    let root: String
    private let program: String
    private let environment: [String]

    private static let outputBytesMax = 512 << 20
    /// rclone's status for a folder that is not there.
    private static let noSuchFolder = 3
    private static let hoursMax = 48

    /// - Throws: `remote` if rclone is not installed.
    init(_ root: String) throws(BackupError) {
        var root = root
        while root.hasSuffix("/") { root.removeLast() }
        self.root = root
        let folders = (Environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        guard let folder = folders.first(where: { access("\($0)/rclone", X_OK) == 0 }) else {
            throw BackupError(
                .remote, "rclone is not installed. On Debian: apt install rclone, then rclone config.")
        }
        program = "\(folder)/rclone"
        environment =
            (try? WholeFile.read("/proc/self/environ"))?.split(separator: 0).map {
                String(decoding: $0, as: UTF8.self)
            } ?? []
    }

    func path(_ relative: String) -> String { root.hasSuffix(":") ? root + relative : "\(root)/\(relative)" }

    /// Runs it and waits for its end.
    ///
    /// - Returns: What it wrote to standard output; `nil` if a folder it was to read is not there.
    /// - Throws: `remote`, with what it wrote to standard error.
    @discardableResult
    func run(_ arguments: [String]) throws(BackupError) -> [UInt8]? {
        let child: ChildProcess
        let (output, errors): (Int32, Int32)
        do throws(ChildProcess.StartError) {
            (output, errors) = (try MemoryFile.make("rclone output"), try MemoryFile.make("rclone errors"))
        } catch { throw BackupError(.remote, "rclone \(error.description).") }
        defer {
            close(output)
            close(errors)
        }
        do throws(ChildProcess.StartError) {
            child = try ChildProcess(
                program, ["rclone", "--use-mmap", "--retries", "3"] + arguments, files: [nil, output, errors],
                environment: environment)
        } catch { throw BackupError(.remote, "rclone \(error.description).") }
        guard child.waitsForEnd(until: .now + .seconds(3_600 * Self.hoursMax)) == true else {
            throw BackupError(.remote, "rclone did not come to an end in \(Self.hoursMax) hours.")
        }
        let end = child.end()
        if end == "ended with status \(Self.noSuchFolder)" { return nil }
        if let end {
            let text = String(decoding: MemoryFile.read(errors, bytesMax: 1 << 16), as: UTF8.self)
            let line = text.split(whereSeparator: \.isNewline).last.map(String.init) ?? "it says nothing"
            throw BackupError(.remote, "rclone \(arguments[0]) \(end): \(line)")
        }
        var status = stat()
        fstat(output, &status)
        return MemoryFile.read(output, bytesMax: min(Self.outputBytesMax, Int(status.st_size)))
    }
}
