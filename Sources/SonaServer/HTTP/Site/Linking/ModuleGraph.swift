/// Which modules of the page import which, and which of them go into one file: a pack.
///
/// A pack is made for `main.js` with all that it imports, for the pages that people arrive at, for each other page, and
/// for each part that is fetched later. What several of these import goes into the pack of the first that does, in the
/// order of `arrivals`, else into `shared`. So a first visit to a room takes two scripts, and no module is in two packs.
struct ModuleGraph {
    static let entry = "main.js"
    /// Pages that most people see first. Their packs have all that they import.
    static let arrivals = ["room", "home"]
    /// Parts of these pages that would be asked for as soon as the page stands.
    private static let atOnce = [
        "room": ["components/room-stage/on-air.js", "components/room-page/room-shelf.js"]
    ]
    static let shared = "shared"
    /// A module of several pages that is not worth that a page fetches the pack of another for it, bytes.
    private static let smallBytes = 1_000
    /// Modules that several pages and parts import and others do not: worth a pack of their own, bytes.
    private static let largeBytes = 4_000

    let modules: [String: ModuleText]
    /// By module, the name of its pack. Modules that only programs of their own import have none.
    private(set) var packs: [String: String] = [:]
    /// Modules that are fetched later than the one that names them.
    private(set) var roots: Set<String> = []
    /// Modules that are also needed as they are: by workers, worklets, and players other than our page.
    private(set) var plain: Set<String> = []

    /// - Parameters:
    ///   - modules: The modules that may be in packs, by path.
    ///   - others: Modules that are needed as they are, with all that they import.
    /// - Throws: `ModuleText.Refusal` for a module that does not exist, a name that it does not export, or modules that
    ///   import one another.
    init(_ modules: [String: ModuleText], others: some Sequence<String>) throws {
        self.modules = modules
        try check()
        for module in modules.values {
            for pattern in module.later { roots.formUnion(modules.keys.filter { Self.matches($0, pattern) }) }
        }
        let programs = Set(modules.values.flatMap(\.programs)).union(others)
        for program in programs where modules[program] != nil { plain.formUnion(closure(of: [program])) }
        assign()
    }

    /// The name of the page that a module is.
    static func page(_ path: String) -> String? {
        let parts = path.split(separator: "/")
        guard parts.count == 3, parts[0] == "components", parts[1].hasSuffix("-page"), parts[2] == parts[1] + ".js"
        else { return nil }
        return String(parts[1].dropLast("-page".count))
    }

    static func pageModule(_ page: String) -> String { "components/\(page)-page/\(page)-page.js" }

    /// Modules, and what they import, and so on; each after those that it imports.
    func closure(of modules: [String]) -> [String] {
        var found: [String] = []
        var seen: Set<String> = []
        func visit(_ path: String) {
            guard seen.insert(path).inserted, let module = self.modules[path] else { return }
            for other in module.imports { visit(other.module) }
            found.append(path)
        }
        modules.forEach(visit)
        return found
    }

    private func check() throws {
        for (path, module) in modules.sorted(by: { $0.key < $1.key }) {
            for other in module.imports {
                guard let exporter = modules[other.module] else {
                    throw ModuleText.Refusal(path: path, reason: "imports \(other.module), which does not exist")
                }
                for name in other.names where !exporter.exports.contains(where: { $0.outside == name.there }) {
                    throw ModuleText.Refusal(path: path, reason: "\(other.module) does not export \(name.there)")
                }
            }
        }
        // A module that is imported by what it imports has no order: functions of modules would call each other for ever.
        var done: Set<String> = [], open: Set<String> = []
        func visit(_ path: String) throws {
            guard !done.contains(path), let module = modules[path] else { return }
            guard open.insert(path).inserted else {
                throw ModuleText.Refusal(path: path, reason: "imports itself by way of others")
            }
            for other in module.imports { try visit(other.module) }
            open.remove(path)
            done.insert(path)
        }
        for path in modules.keys.sorted() { try visit(path) }
    }

    private mutating func assign() {
        func give(_ paths: [String], _ pack: String) {
            for path in paths where packs[path] == nil { packs[path] = pack }
        }
        give(closure(of: [Self.entry]), "main")
        // By module, the roots whose closures have it.
        var users: [String: [String]] = [:]
        for root in roots.sorted() { for path in closure(of: [root]) { users[path, default: []].append(root) } }
        // With a module that stands elsewhere, `main` would have that pack fetched at every start.
        for path in closure(of: users.keys.sorted()) where (users[path] ?? []).compactMap(Self.page).count > 1 {
            let imports = modules[path]?.imports ?? []
            guard size(of: [path]) <= Self.smallBytes, imports.allSatisfy({ packs[$0.module] == "main" }) else {
                continue
            }
            give([path], "main")
        }
        for page in Self.arrivals {
            give(closure(of: [Self.pageModule(page)] + (Self.atOnce[page] ?? [])), page)
        }
        var groups: [[String]: [String]] = [:]
        for (path, roots) in users where packs[path] == nil {
            // Pages come first: what a page needs and its parts as well is the page's.
            let pages = roots.compactMap(Self.page)
            if pages.count == 1 {
                packs[path] = pages[0]
            } else if self.roots.contains(path) {
                packs[path] = Self.page(path) ?? Self.name(path)
            } else if pages.isEmpty, roots.count == 1 {
                packs[path] = Self.name(roots[0])
            } else if let page = Self.folderPage(path), pages.isEmpty {
                packs[path] = page
            } else {
                groups[roots, default: []].append(path)
            }
        }
        for paths in groups.values {
            let first = Self.name(paths.min() ?? "")
            give(paths, size(of: paths) >= Self.largeBytes ? "\(Self.shared)-\(first)" : Self.shared)
        }
    }

    /// Bytes of modules before they are compressed.
    private func size(of paths: [String]) -> Int {
        paths.reduce(0) { size, path in size + (modules[path]?.body.reduce(0) { $0 + $1.utf8.count } ?? 0) }
    }

    /// The page in whose folder a module lies: parts of a page that is fetched part by part have it in common.
    private static func folderPage(_ path: String) -> String? {
        let folder = path.split(separator: "/").dropLast().last.map(String.init) ?? ""
        return page("components/\(folder)/\(folder).js")
    }

    /// `components/room-stage/on-air.js` → `room-stage.on-air`: names of files are not unique.
    private static func name(_ path: String) -> String {
        path.split(separator: "/").suffix(2).joined(separator: ".").replacing(".js", with: "")
    }

    /// Whether a path is the pattern, with one or more letters of a name for each `*`.
    static func matches(_ path: String, _ pattern: String) -> Bool {
        func matches(_ path: Substring, _ pattern: Substring) -> Bool {
            guard let sign = pattern.first else { return path.isEmpty }
            guard let letter = path.first else { return false }
            guard sign == "*" else { return sign == letter && matches(path.dropFirst(), pattern.dropFirst()) }
            guard letter.isLetter || letter.isNumber || letter == "-" else { return false }
            return matches(path.dropFirst(), pattern.dropFirst()) || matches(path.dropFirst(), pattern)
        }
        return matches(path[...], pattern[...])
    }
}
