internal import Glibc

/// Programs as they were built, for tests that start them.
package enum BuiltProgram {
    /// The path of `sona`: in `SONA_PROGRAMS` if that is set, else beside the test bundle, where SwiftPM puts it.
    package static let sona = beside("sona")

    /// The path of another program that is built.
    package static func beside(_ name: String) -> String {
        if let folder = getenv("SONA_PROGRAMS") { return String(cString: folder) + "/" + name }
        for argument in CommandLine.arguments {
            let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
            for folder in [argument, parts.dropLast().joined(separator: "/")] {
                if access(folder + "/" + name, X_OK) == 0 { return folder + "/" + name }
            }
        }
        fatalError("The program \(name) was not found beside the tests.")
    }
}
