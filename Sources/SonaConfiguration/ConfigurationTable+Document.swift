extension ConfigurationTable {
    /// A file of all keys, each with its help and its default as a comment: a program that reads it does what it does
    /// without it.
    ///
    /// - Parameters:
    ///   - heading: Lines that stand first.
    ///   - defaults: The target where nothing is said.
    public func document(heading: [String], defaults: Target) -> String {
        var lines = heading.map { $0.isEmpty ? "#" : "# " + $0 }
        for section in sections {
            lines += ["", "## \(section.title)"]
            for key in section.keys {
                lines.append("")
                lines += wrapped(helpText(key), columns: 98).map { "# " + $0 }
                let value = key.usually == nil ? standardText(key, defaults) : nil
                lines.append("#\(key.name) =\(value.map { " " + $0 } ?? "")")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The texts of a key's values in a target, separated by spaces; `nil` if it has none.
    public func standardText(_ key: ConfigurationKey<Target>, _ defaults: Target) -> String? {
        let texts = key.texts(defaults)
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    /// The help of a key, with what it takes and whether SIGHUP takes it over.
    private func helpText(_ key: ConfigurationKey<Target>) -> String {
        var text = key.help + " Takes \(key.expectation)" + (key.count == .many ? ", or several." : ".")
        if let usually = key.usually { text += " Default: \(usually)." }
        if key.traits.contains(.secret) { text += " Or \(key.flag) = a file with it in its first line." }
        if !key.traits.contains(.reloadable) { text += " Needs a restart." }
        return text
    }

    private func wrapped(_ text: String, columns: Int) -> [String] {
        var lines: [String] = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// A value as it may be shown.
    public struct Shown: Sendable, Equatable {
        public let key: String
        /// Empty if the key has no value. A secret is `(secret)`.
        public let values: [String]
        public let origin: ConfigurationOrigin
    }

    /// Every key with its value and where it came from, in the order of the table.
    public func shown(_ resolved: ResolvedConfiguration<Target>) -> [Shown] {
        keys.map { key in
            var values = key.texts(resolved.target)
            if key.traits.contains(.secret), !values.isEmpty { values = ["(secret)"] }
            return Shown(key: key.name, values: values, origin: resolved.origin(key.name))
        }
    }

    /// The keys whose values differ between two targets.
    ///
    /// - Returns: Those that a running program takes over, and those that need a restart.
    public func changes(from old: Target, to new: Target) -> (taken: [String], waiting: [String]) {
        let changed = keys.filter { $0.texts(old) != $0.texts(new) }
        return (
            changed.filter { $0.traits.contains(.reloadable) }.map(\.name),
            changed.filter { !$0.traits.contains(.reloadable) }.map(\.name)
        )
    }

    /// A target that has the reloadable values of `new` and else those of `old`.
    public func merged(_ old: Target, with new: Target) -> Target {
        var target = old
        for key in keys where key.traits.contains(.reloadable) { key.copy(new, &target) }
        return target
    }
}
