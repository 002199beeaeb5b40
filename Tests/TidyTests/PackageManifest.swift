/// The targets of Package.swift. It is read as text, in the form in which it is written: literal names in literal
/// lists.
struct PackageManifest {
    enum Kind: String {
        case target, executableTarget, testTarget, systemLibrary
    }

    struct Target {
        var kind: Kind
        var name: String
        /// From the root of the package.
        var folder: String
        /// Targets of this package.
        var dependencies: Set<String>
        /// Products of other packages.
        var products: Set<String>
    }

    var targets: [String: Target] = [:]

    init(_ text: String) {
        let code = text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        for match in code.matches(of: /\.(target|executableTarget|testTarget|systemLibrary)\(\s*name:/) {
            guard let kind = Kind(rawValue: String(match.1)),
                let open = code[match.range].firstIndex(of: "("),
                let target = Self.target(kind, Self.balanced(code[open...]))
            else { continue }
            targets[target.name] = target
        }
    }

    private static func target(_ kind: Kind, _ declaration: Substring) -> Target? {
        guard let name = declaration.firstMatch(of: /name:\s*"(\w+)"/)?.1 else { return nil }
        let folder = kind == .testTarget ? "Tests/\(name)" : "Sources/\(name)"
        var target = Target(
            kind: kind, name: String(name),
            folder: declaration.firstMatch(of: /path:\s*"([^"]+)"/).map { String($0.1) } ?? folder,
            dependencies: [], products: [])
        guard let list = declaration.firstMatch(of: /dependencies:\s*\[/) else { return target }
        var names = balanced(declaration[declaration.index(before: list.range.upperBound)...])
        for product in names.matches(of: /\.product\(name:\s*"(\w+)"[^)]*\)/) {
            target.products.insert(String(product.1))
        }
        names = Substring(names.replacing(/\.product\([^)]*\)/, with: ""))
        target.dependencies = Set(names.matches(of: /"(\w+)"/).map { String($0.1) })
        return target
    }

    /// From an opening bracket to the one that closes it.
    private static func balanced(_ text: Substring) -> Substring {
        var depth = 0
        for index in text.indices {
            if "([".contains(text[index]) { depth += 1 }
            if ")]".contains(text[index]) { depth -= 1 }
            if depth == 0 { return text[...index] }
        }
        return text
    }
}
