import ArgumentParser
import SonaBase

/// Where everything is kept.
struct DataFolderOption: ParsableArguments {
    @Option(help: "The folder for database and keys. Made if missing.")
    var data: String = DataFolderOption.standard

    private static var standard: String {
        if let folder = Environment["XDG_DATA_HOME"] { return folder + "/sona" }
        return (Environment["HOME"] ?? ".") + "/.local/share/sona"
    }
}
