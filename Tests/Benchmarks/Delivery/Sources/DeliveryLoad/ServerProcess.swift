import Glibc

/// What the system says of a running server, by /proc.
package struct ServerProcess: Sendable {
    package var pid: Int32

    package init(pid: Int32) { self.pid = pid }

    /// Processor time of all its threads, in nanoseconds. Of a thread that has ended nothing is left in it.
    package var processorNanoseconds: UInt64 {
        var sum: UInt64 = 0
        guard let folder = opendir("/proc/\(pid)/task") else { return 0 }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.first != "." else { continue }
            let times = read("/proc/\(pid)/task/\(name)/schedstat")
            sum += times.split(separator: " ").first.flatMap { UInt64($0) } ?? 0
        }
        return sum
    }

    package var residentBytes: Int {
        for line in read("/proc/\(pid)/status").split(separator: "\n") where line.hasPrefix("VmRSS:") {
            return (line.split(separator: " ").dropFirst().first.flatMap { Int($0.filter(\.isNumber)) } ?? 0) * 1024
        }
        return 0
    }

    /// Where this library lies, if the process has loaded it.
    package func library(_ name: String) -> String? {
        let mapping = read("/proc/\(pid)/maps").split(separator: "\n").first { $0.hasSuffix("/" + name) }
        return mapping.map { String($0.drop { $0 != "/" }) }
    }

    /// Files of /proc have no size, and must be read to their end.
    private func read(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = fread(&bytes, 1, bytes.count, file)
            if count == 0 { return String(decoding: all, as: UTF8.self) }
            all += bytes[..<count]
        }
    }
}
