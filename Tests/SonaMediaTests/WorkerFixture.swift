import Glibc
import SonaMedia
import SonaTestSupport

/// Workers as they are, and some that misbehave.
enum WorkerFixture {
    /// The real one.
    static var sona: WorkerProgram {
        var program = WorkerProgram()
        program.path = BuiltProgram.sona
        return program
    }

    /// A shell script in its place, which may begin with `greet`.
    static func script(_ lines: String, in folder: TemporaryFolder) -> WorkerProgram {
        let path = folder.file("worker")
        TemporaryFolder.write(Array("#!/bin/sh\n\(lines)\n".utf8), toFile: path, mode: 0o700)
        // A program that another test is just starting may hold a copy of the descriptor it was written by, and what is
        // open for writing can't be executed. A lease for reading (F_SETLEASE) is given once nobody has it open.
        let file = open(path, O_RDONLY | O_CLOEXEC)
        while fcntl(file, 1024, F_RDLCK) != 0, errno == EAGAIN { usleep(1_000) }
        close(file)
        var program = WorkerProgram()
        program.path = path
        return program
    }

    /// The greeting that a worker sends before it reads.
    static let greet = "printf 'SONA\\001'"

    /// 2 × 2 black pixels.
    static let picture = PNGBomb.harmless()

    /// The real one, under a name of its own: other tests' workers run at the same time.
    static func named(in folder: TemporaryFolder) -> WorkerProgram {
        symlink(sona.path, folder.file("sona"))
        return script("exec \(folder.file("sona")) worker picture", in: folder)
    }

    /// Identifiers of the workers that `named` runs just now.
    static func running(in folder: TemporaryFolder) -> [pid_t] {
        guard let processes = opendir("/proc") else { return [] }
        defer { closedir(processes) }
        let beginning = Array("\(folder.file("sona"))\0worker\0".utf8)
        var found: [pid_t] = []
        while let entry = readdir(processes) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let process = pid_t(name), let line = TemporaryFolder.bytes(ofFile: "/proc/\(name)/cmdline"),
                line.starts(with: beginning)
            else { continue }
            found.append(process)
        }
        return found
    }
}
