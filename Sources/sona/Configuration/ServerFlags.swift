import ArgumentParser
import Glibc
import SonaBase
import SonaConfiguration
import SonaServer

/// Where the file of the configuration is.
struct ConfigurationFileOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            File of the configuration. (default: SONA_CONFIG, else ~/.config/sona/sona.conf or /etc/sona/sona.conf if \
            one is there)
            """, valueName: "file"))
    var config: String?

    /// The configuration file in use; `nil` without one.
    ///
    /// - Throws: `OperatorFailure` if it was named and can't be read.
    func read() throws(OperatorFailure) -> ConfigurationFile? {
        if let path = config ?? Environment["SONA_CONFIG"] { return try Self.read(path) }
        let home = Environment["XDG_CONFIG_HOME"] ?? (Environment["HOME"] ?? ".") + "/.config"
        for path in [home + "/sona/sona.conf", "/etc/sona/sona.conf"] where Self.exists(path) {
            return try Self.read(path)
        }
        return nil
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func read(_ path: String) throws(OperatorFailure) -> ConfigurationFile {
        do throws(WholeFile.Failure) {
            return try ConfigurationFile(path: path)
        } catch {
            throw OperatorFailure(78, "\(path) can't be read: \(error).")
        }
    }
}

/// Every key of the server as a flag.
struct ServerFlags: ParsableArguments {
    @OptionGroup var file: ConfigurationFileOption

    // A section of the table each; ConfigurationCommandTests hold that none is missing.
    @OptionGroup(title: Self.title(0)) var folderAndSockets: SectionFlags<0>
    @OptionGroup(title: Self.title(1)) var way: SectionFlags<1>
    @OptionGroup(title: Self.title(2)) var music: SectionFlags<2>
    @OptionGroup(title: Self.title(3)) var radio: SectionFlags<3>
    @OptionGroup(title: Self.title(4)) var appearance: SectionFlags<4>
    @OptionGroup(title: Self.title(5)) var log: SectionFlags<5>
    @OptionGroup(title: Self.title(6)) var mail: SectionFlags<6>
    @OptionGroup(title: Self.title(7)) var backups: SectionFlags<7>
    @OptionGroup(title: Self.title(8)) var firebase: SectionFlags<8>
    @OptionGroup(title: Self.title(9)) var services: SectionFlags<9>

    private static func title(_ section: Int) -> String { ServerConfiguration.keys.sections[section].title }

    private var given: [String: [String]] {
        [
            folderAndSockets.given, way.given, music.given, radio.given, appearance.given, log.given, mail.given,
            backups.given, firebase.given, services.given,
        ].reduce(into: [:]) { $0.merge($1) { $1 } }
    }

    /// Values on the command line that can't be used are wrong usage, before anything else is looked at.
    func validate() throws {
        var sources = ConfigurationSources()
        sources.flags = given
        if let fault = ServerConfiguration.keys.resolve(sources, over: .standard).faults.first {
            throw ValidationError(fault.description)
        }
    }

    /// The settings from these flags, the environment and the file.
    ///
    /// - Throws: `OperatorFailure` if the file can't be read.
    func sources() throws(OperatorFailure) -> ConfigurationSources {
        var sources = ConfigurationSources.process()
        sources.flags = given
        sources.file = try file.read()
        return sources
    }
}

extension ResolvedConfiguration {
    /// The target.
    ///
    /// - Throws: `OperatorFailure` with every fault: 64 if all are of the command line, else 78.
    func usable() throws(OperatorFailure) -> Target {
        guard !faults.isEmpty else { return target }
        let isUsage = faults.allSatisfy(\.origin.isCommandLine)
        throw OperatorFailure(isUsage ? 64 : 78, faults.map(\.description).joined(separator: "\nsona: "))
    }
}
