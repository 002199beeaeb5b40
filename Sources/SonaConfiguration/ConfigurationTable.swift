internal import Glibc
internal import SonaBase

/// All keys of a program, and how its sources are read: flags stand above the environment, that above credentials, these
/// above the file, and all of them above the default.
public struct ConfigurationTable<Target>: Sendable {
    public let sections: [ConfigurationSection<Target>]
    /// Begins the names of all variables of the program, like `SONA_`.
    public let prefix: String
    /// Variables with this prefix that mean something to the program and are no keys.
    public let otherVariables: Set<String>

    public init(prefix: String, otherVariables: Set<String>, _ sections: [ConfigurationSection<Target>]) {
        self.prefix = prefix
        self.otherVariables = otherVariables
        self.sections = sections
    }

    public var keys: [ConfigurationKey<Target>] { sections.flatMap(\.keys) }

    /// Decides every value.
    ///
    /// - Parameters:
    ///   - sources: What the program was told.
    ///   - defaults: The target where nothing is said.
    /// - Returns: The target together with everything that was found wrong.
    public func resolve(_ sources: ConfigurationSources, over defaults: Target) -> ResolvedConfiguration<Target> {
        var resolved = ResolvedConfiguration(target: defaults)
        var unknown = unknownKeys(sources.file) + unknownVariables(sources.environment)
        unknown += (sources.file?.faults ?? []).map {
            ConfigurationFault(.file(sources.file?.path ?? "", line: 0), key: nil, $0 + ".")
        }
        resolved.faults = unknown
        for key in keys {
            do throws(ConfigurationFault) {
                guard let (texts, origin) = try find(key, sources) else { continue }
                if let text = key.assign(texts, &resolved.target) {
                    let shown = key.traits.contains(.secret) ? "." : ", not \"\(text)\"."
                    throw ConfigurationFault(origin, key: key.name, "\(origin) takes \(key.expectation)\(shown)")
                }
                resolved.origins[key.name] = origin
            } catch {
                resolved.faults.append(error)
            }
        }
        resolved.warnings = warnings(sources.file)
        return resolved
    }

    /// The texts of a key from the highest source that has any; `nil` if none has.
    private func find(
        _ key: ConfigurationKey<Target>, _ sources: ConfigurationSources
    ) throws(ConfigurationFault) -> (texts: [String], origin: ConfigurationOrigin)? {
        let isSecret = key.traits.contains(.secret)
        if let texts = sources.flags[key.flag], !texts.isEmpty {
            let origin = ConfigurationOrigin.flag(key.flag)
            return (isSecret ? [try secret(texts[texts.count - 1], key, origin)] : texts, origin)
        }
        let variable = key.variable(prefix)
        if let text = sources.environment[variable], !text.isEmpty {
            return (split(text, key), .environment(variable))
        }
        if isSecret, let path = sources.environment[variable + "_FILE"], !path.isEmpty {
            let origin = ConfigurationOrigin.environment(variable + "_FILE")
            return ([try secret(path, key, origin)], origin)
        }
        if let folder = sources.credentialsFolder, access("\(folder)/\(key.name)", F_OK) == 0 {
            let path = "\(folder)/\(key.name)"
            let origin = ConfigurationOrigin.credential(path)
            return (key.traits.contains(.file) ? [path] : split(try secret(path, key, origin), key), origin)
        }
        guard let file = sources.file else { return nil }
        let names = isSecret ? [key.name, key.flag] : [key.name]
        let lines = file.lines.filter { names.contains($0.key) && !$0.value.isEmpty }
        guard let last = lines.last else { return nil }
        let origin = ConfigurationOrigin.file(file.path, line: last.number)
        if last.key != key.name { return ([try secret(last.value, key, origin)], origin) }
        if key.count == .many { return (lines.flatMap { split($0.value, key) }, origin) }
        guard lines.count == 1 else {
            throw ConfigurationFault(
                origin, key: key.name, "\(origin): \(key.name) stands twice, first in line \(lines[0].number).")
        }
        return ([last.value], origin)
    }

    private func split(_ text: String, _ key: ConfigurationKey<Target>) -> [String] {
        key.count == .many ? text.split(whereSeparator: \.isWhitespace).map(String.init) : [text]
    }

    /// Most bytes of a secret.
    private static var secretBytesMax: Int { 64 * 1024 }

    /// The first line of a file.
    private func secret(
        _ path: String, _ key: ConfigurationKey<Target>, _ origin: ConfigurationOrigin
    ) throws(ConfigurationFault) -> String {
        do throws(WholeFile.Failure) {
            return String(decoding: try WholeFile.firstLine(path, bytesMax: Self.secretBytesMax), as: UTF8.self)
        } catch {
            throw ConfigurationFault(origin, key: key.name, "\(origin): \(path) can't be read: \(error).")
        }
    }

    // MARK: What does not exist

    private func unknownKeys(_ file: ConfigurationFile?) -> [ConfigurationFault] {
        guard let file else { return [] }
        let known = Set(keys.flatMap { $0.traits.contains(.secret) ? [$0.name, $0.flag] : [$0.name] })
        return file.lines.filter { !known.contains($0.key) }.map { line in
            let origin = ConfigurationOrigin.file(file.path, line: line.number)
            let hint = Spelling.nearest(to: line.key, among: known).map { "; did you mean \"\($0)\"?" } ?? "."
            return ConfigurationFault(origin, key: nil, "\(origin): there is no key \"\(line.key)\"\(hint)")
        }
    }

    /// Variables that look like a misspelt key. Others with the prefix may be somebody else's: Kubernetes names
    /// variables for its services.
    private func unknownVariables(_ environment: [String: String]) -> [ConfigurationFault] {
        let known = Set(
            keys.flatMap { key in
                let name = key.variable("")
                return key.traits.contains(.secret) ? [name, name + "_FILE"] : [name]
            })
        return environment.keys.sorted().compactMap { variable in
            guard variable.hasPrefix(prefix), !otherVariables.contains(variable) else { return nil }
            let name = String(variable.dropFirst(prefix.count))
            // One letter, or two of a long name: what is less similar is another program's.
            guard !known.contains(name),
                let near = Spelling.nearest(to: name, among: known, changesMax: name.utf8.count < 8 ? 1 : 2)
            else { return nil }
            return ConfigurationFault(
                .environment(variable), key: nil, "There is no variable \(variable); did you mean \(prefix)\(near)?")
        }
    }

    private func warnings(_ file: ConfigurationFile?) -> [String] {
        guard let file, file.isReadableByOthers else { return [] }
        let secrets = Set(keys.filter { $0.traits.contains(.secret) }.map(\.name))
        return file.lines.filter { secrets.contains($0.key) }.map {
            "\(file.path) holds \($0.key), and others than its owner may read it: chmod 600, or give \($0.key)-file."
        }
    }
}
