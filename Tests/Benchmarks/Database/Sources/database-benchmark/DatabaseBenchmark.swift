import Foundation

@main
enum DatabaseBenchmark {
    static func main() {
        let options = Options(CommandLine.arguments.dropFirst())
        do {
            try run(options)
        } catch {
            FileHandle.standardError.write(Data("database-benchmark: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options) throws {
        let folder = options.folder.appendingPathComponent("database-benchmark-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let machine = try Machine(commit: options.commit, folder: folder)
        let harness = Harness(
            contenders: [RawContender(), SonaContender(), GRDBContender()], lines: options.lines,
            entrants: options.entrants, rounds: options.rounds,
            data: Dataset(sizes: options.quick ? .quick : Sizes()), folder: folder)
        let results = try harness.run { step in FileHandle.standardError.write(Data((step + "\n").utf8)) }
        let report = Report(machine: machine, rounds: options.rounds, lines: results)
        print(report.text)
        if let file = options.json { try report.json().write(to: file) }
    }
}

struct Options {
    var rounds = 7
    var quick = false
    var lines = Line.allCases
    /// All, if empty.
    var entrants: Set<String> = []
    var json: URL?
    var folder = FileManager.default.temporaryDirectory
    var commit: String?

    static let usage = """
        usage: database-benchmark [--rounds N] [--quick] [--only NAME]... [--entrant NAME]... [--json FILE]
                                  [--folder DIRECTORY] [--commit HASH]
          --rounds N          how often each line is run (7)
          --quick             small sizes: to find mistakes, not for numbers
          --only NAME         lines whose name begins so; may be repeated
          --entrant NAME      Sona, "GRDB best", …: this one alone, for a profile; may be repeated
          --json FILE         all rounds, for tools
          --folder DIRECTORY  where the database files go: the disk that is measured (the temporary folder)
          --commit HASH       printed with the result
        lines: \(Line.allCases.map(\.rawValue).joined(separator: " "))
        """

    /// Prints the usage and exits with 64 if there is anything it does not know.
    init(_ arguments: ArraySlice<String>) {
        var names: [String] = []
        var arguments = arguments
        while let argument = arguments.popFirst() {
            switch argument {
            case "--quick": quick = true
            case "--rounds":
                guard let number = arguments.popFirst().flatMap({ Int($0) }), number > 0 else { Self.refuse() }
                rounds = number
            case "--only": names.append(Self.value(&arguments))
            case "--entrant": entrants.insert(Self.value(&arguments))
            case "--json": json = URL(fileURLWithPath: Self.value(&arguments))
            case "--folder": folder = URL(fileURLWithPath: Self.value(&arguments), isDirectory: true)
            case "--commit": commit = Self.value(&arguments)
            default: Self.refuse()
            }
        }
        guard !names.isEmpty else { return }
        lines = Line.allCases.filter { line in names.contains { line.rawValue.hasPrefix($0) } }
        if lines.isEmpty { Self.refuse() }
    }

    private static func value(_ arguments: inout ArraySlice<String>) -> String {
        guard let value = arguments.popFirst() else { refuse() }
        return value
    }

    private static func refuse() -> Never {
        FileHandle.standardError.write(Data((usage + "\n").utf8))
        exit(64)
    }
}
