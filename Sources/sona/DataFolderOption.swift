import ArgumentParser
import SonaBase

/// The folder where the server keeps everything.
struct DataFolderOption: ParsableArguments {
    @Option(help: "The folder for database and keys. Made if missing.")
    var data: String = DataFolderOption.standard

    private static var standard: String {
        if let folder = Environment["XDG_DATA_HOME"] { return folder + "/sona" }
        return (Environment["HOME"] ?? ".") + "/.local/share/sona"
    }
}
