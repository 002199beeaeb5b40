import Glibc

/// The server that runs on a data folder, as its metrics tell of it.
struct RunningServer {
    private var figures: [String: Double] = [:]
    /// The version of the program that runs.
    private(set) var version: String?

    /// - Returns: nil if no server answers at the folder's socket.
    init?(dataFolder: String) {
        let place = HTTPPlace.unixSocket(dataFolder + "/admin.sock")
        guard case .success(let answer) = place.ask("/metrics"), answer.status == 200 else { return nil }
        self.init(metrics: answer.body)
    }

    init(metrics text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                continue
            }
            let name = String(line[..<space].prefix { $0 != "{" })
            figures[name, default: 0] += value
            if name == "sona_build_info", let mark = line.firstRange(of: "version=\"") {
                version = String(line[mark.upperBound...].prefix { $0 != "\"" })
            }
        }
    }

    /// A figure, summed over its labels.
    func figure(_ name: String) -> Double? { figures[name] }
}
