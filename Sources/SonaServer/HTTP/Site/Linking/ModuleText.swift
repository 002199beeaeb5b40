/// One ES module of the page, taken apart far enough to stand in one file with others.
///
/// Nothing but what our modules use is understood: declarations of imports and exports that begin in the first column,
/// one on a line. A module with anything else is refused, and the page is then served module by module.
///
/// Source: ECMA-262, "Imports" and "Exports".
struct ModuleText {
    /// A declaration `import`, or an export of something that another module exports.
    struct Import: Equatable {
        /// The path of the other module, from the root of the site.
        var module: String
        /// `import * as NAME`.
        var namespace: String?
        /// Names there and here.
        var names: [(there: String, here: String)] = []

        static func == (one: Import, other: Import) -> Bool {
            one.module == other.module && one.namespace == other.namespace
                && one.names.elementsEqual(other.names) { $0 == $1 }
        }
    }

    struct Refusal: Error, Equatable, CustomStringConvertible {
        var path: String
        var reason: String
        var description: String { "\(path): \(reason)" }
    }

    /// The path from the root of the site.
    let path: String
    private(set) var imports: [Import] = []
    /// Names outside and inside of the module.
    private(set) var exports: [(outside: String, inside: String)] = []
    /// Modules that are fetched later: paths from the root, in which `*` stands for letters of a name.
    private(set) var later: [String] = []
    /// Programs of their own, each in a worker or a worklet: paths from the root.
    private(set) var programs: [String] = []
    /// The statements, without declarations of imports and exports, comments and indentation.
    private(set) var body: [String] = []
    /// Whether it may have to wait while it is evaluated. Modules that only have functions that wait count as well.
    private(set) var mayWait = false
    /// Whether the address of the module is used.
    private(set) var usesAddress = false

    /// The names that a pack defines for its modules: the module's address, and what takes the place of `import()`.
    static let address = "__at", load = "__import"

    /// - Throws: `Refusal` with the line that is not understood.
    init(path: String, text: String) throws {
        self.path = path
        guard let lines = SourceText.lines(text) else {
            throw Refusal(path: path, reason: "a comment or a template is not understood")
        }
        for (line, isInTemplate) in lines {
            if isInTemplate {
                body.append(String(line))
                mayWait = mayWait || Self.hasWord(String(line), "await")
                continue
            }
            if line.contains("__") { throw refusal("a name of ours", line) }
            let bare = line.drop { $0 == " " || $0 == "\t" }
            if let declared = try declaration(String(line)) { try keep(declared) } else { try keep(String(bare)) }
        }
        programs = Self.programs(in: text, path)
    }

    private func refusal(_ reason: String, _ line: some StringProtocol) -> Refusal {
        Refusal(path: path, reason: "\(reason): \(line.prefix(120))")
    }

    /// The modules that a text names as programs of their own: `new URL('./worker.js', import.meta.url)`.
    static func programs(in text: String, _ path: String) -> [String] {
        text.split(separator: "new URL('").dropFirst().compactMap { part in
            let name = part.prefix { $0 != "'" }
            guard name.hasSuffix(".js"), part.dropFirst(name.count).hasPrefix("', import.meta.url") else { return nil }
            return resolve(name, from: path)
        }
    }

    /// A path that a module names, from the root.
    static func resolve(_ name: some StringProtocol, from path: String) -> String? {
        guard name.hasPrefix("./") || name.hasPrefix("../") || !name.contains(":"), !name.hasPrefix("/") else {
            return nil
        }
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in name.split(separator: "/") {
            switch part {
            case ".": continue
            case "..": if parts.popLast() == nil { return nil }
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }
}

// MARK: Declarations

extension ModuleText {
    /// What is left of a line that declares an import or an export: `""` if nothing is. `nil` for other lines.
    private mutating func declaration(_ line: String) throws -> String? {
        if Self.begins(line, "import"), !line.hasPrefix("import("), !line.hasPrefix("import.") {
            try take(line.dropFirst("import".count), of: line, isExport: false)
            return ""
        }
        guard Self.begins(line, "export") else { return nil }
        let rest = line.dropFirst("export".count).drop { $0 == " " }
        if rest.hasPrefix("{") {
            try take(rest, of: line, isExport: true)
            return ""
        }
        var words = rest.split(maxSplits: 4, whereSeparator: { " (*".contains($0) }).map(String.init)
        if words.first == "async" { words.removeFirst() }
        guard words.count >= 2, ["const", "function", "class"].contains(words[0]), Self.isName(words[1]) else {
            throw refusal("an export that is not understood", line)
        }
        exports.append((words[1], words[1]))
        // `export const A = 1, B = 2;`: one line, of which no part but the values is in brackets or quotation marks.
        if words[0] == "const", rest.hasSuffix(";"), !rest.contains(where: { "([{'\"`".contains($0) }) {
            for part in rest.dropLast().split(separator: ",").dropFirst() {
                let name = part.split(separator: "=")[0].filter { $0 != " " }
                guard Self.isName(name) else { throw refusal("an export that is not understood", line) }
                exports.append((name, name))
            }
        }
        return String(rest)
    }

    /// `{a, b as c} from './x.js';`, `* as a from './x.js';`, `'./x.js';` or, exported, `{a, b as c};`.
    private mutating func take(_ text: Substring, of line: String, isExport: Bool) throws {
        var text = text.drop { $0 == " " }
        guard text.hasSuffix(";") else { throw refusal("a declaration of several lines", line) }
        text = text.dropLast()
        var from: String?
        if text.hasSuffix("'"), let opening = text.dropLast().lastIndex(of: "'") {
            guard let path = Self.resolve(text[text.index(after: opening)...].dropLast(), from: path) else {
                throw refusal("an address that is not ours", line)
            }
            from = path
            text = text[..<opening]
            while text.last == " " { text = text.dropLast() }
            if text.hasSuffix("from") {
                text = text.dropLast(4)
                while text.last == " " { text = text.dropLast() }
            } else if !text.isEmpty {
                throw refusal("a declaration that is not understood", line)
            }
        }
        var names: [(String, String)] = []
        var namespace: String?
        if text.hasPrefix("{"), text.hasSuffix("}") {
            for item in text.dropFirst().dropLast().split(separator: ",") {
                let words = item.split(separator: " ").map(String.init)
                guard words.count == 1 || words.count == 3 && words[1] == "as", words.allSatisfy(Self.isName),
                    words[0] != "default"
                else { throw refusal("a name that is not understood", line) }
                names.append((words[0], words[words.count - 1]))
            }
        } else if text.hasPrefix("* as "), Self.isName(String(text.dropFirst(5))), !isExport {
            namespace = String(text.dropFirst(5))
        } else if !text.isEmpty {
            throw refusal("a declaration that is not understood", line)
        }
        switch (isExport, from) {
        case (false, let from?):
            imports.append(Import(module: from, namespace: namespace, names: names.map { (there: $0.0, here: $0.1) }))
        case (true, let from?):
            // The module has no name for it: one is made that no module may have.
            let own = names.map { (there: $0.0, here: "__\($0.0)_\(imports.count)") }
            imports.append(Import(module: from, namespace: nil, names: own))
            for (name, own) in zip(names, own) { exports.append((name.1, own.here)) }
        case (true, nil): for (inside, outside) in names { exports.append((outside, inside)) }
        case (false, nil): throw refusal("an import of nothing", line)
        }
    }

    /// Whether a line begins with a word.
    private static func begins(_ line: String, _ word: String) -> Bool {
        guard line.hasPrefix(word), let next = line.dropFirst(word.count).first else { return false }
        return !isPartOfName(next)
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber) || character == "_" || character == "$"
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy(isPartOfName) && text.first?.isNumber == false
    }
}

// MARK: Statements

extension ModuleText {
    /// Keeps a statement's line. `import.meta.url` and `import()` mean the module, not the file that it stands in now.
    private mutating func keep(_ line: String) throws {
        guard !line.isEmpty else { return }
        mayWait = mayWait || Self.hasWord(line, "await")
        guard line.contains("import") else { return body.append(line) }
        let address = "import.meta.url"
        var result = ""
        var rest = line[...]
        while let found = rest.firstRange(of: "import") {
            let before = rest[..<found.lowerBound], after = rest[found.lowerBound...]
            let isWord = before.last.map { !Self.isPartOfName($0) && $0 != "." } ?? true
            result += before
            if isWord, after.hasPrefix("import(") {
                try note(after.dropFirst("import(".count), line)
                result += "\(Self.load)(\(Self.address), "
                usesAddress = true
                rest = after.dropFirst("import(".count)
            } else if isWord, after.hasPrefix(address) {
                result += Self.address
                usesAddress = true
                rest = after.dropFirst(address.count)
            } else if isWord, after.hasPrefix("import.") {
                throw refusal("a part of import.meta that is not understood", line)
            } else {
                result += "import"
                rest = after.dropFirst("import".count)
            }
        }
        body.append(result + rest)
    }

    /// Notes what `import()` names: a text, or a template whose variables are parts of names. What a variable names is
    /// known to nobody before: such a module is in a pack only if others name it, too, and works in either case.
    private mutating func note(_ argument: Substring, _ line: String) throws {
        guard let quote = argument.first, quote == "'" || quote == "`",
            let name = argument.dropFirst().split(separator: quote, omittingEmptySubsequences: false).first
        else { return }
        var pattern = ""
        var rest = name
        while let opening = rest.firstRange(of: "${"), let closing = rest[opening.upperBound...].firstIndex(of: "}") {
            pattern += rest[..<opening.lowerBound] + "*"
            rest = rest[rest.index(after: closing)...]
        }
        guard let path = Self.resolve(pattern + rest, from: path) else {
            throw refusal("an address that is not ours", line)
        }
        later.append(path)
    }

    private static func hasWord(_ line: String, _ word: String) -> Bool {
        var rest = line[...]
        while let found = rest.firstRange(of: word) {
            let before = rest[..<found.lowerBound].last, after = rest[found.upperBound...].first
            if before.map(isPartOfName) != true, after.map(isPartOfName) != true { return true }
            rest = rest[found.upperBound...]
        }
        return false
    }
}
