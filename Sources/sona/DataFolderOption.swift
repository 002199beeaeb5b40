import ArgumentParser
import Glibc

/// Where everything is kept.
struct DataFolderOption: ParsableArguments {
    @Option(help: "The folder for database and keys. Made if missing.")
    var data: String = DataFolderOption.standard

    private static var standard: String {
        if let folder = environment("XDG_DATA_HOME") { return folder + "/sona" }
        return (environment("HOME") ?? ".") + "/.local/share/sona"
    }
}

/// A variable of the environment that is set and not empty.
func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
}
