/// The modules of the page in fewer and larger files, made in memory when the server starts.
///
/// In a pack each module is a function, called once, that returns what the module exports:
///
/// ```js
/// import {__m3, __m7, __import, __root} from '../main.js';
/// var __n12; export function __m12() { return __n12 ??= (() => {
/// const {h, s: shape} = __m3();
/// …
/// return {Stage, show}; })(); }
/// ```
///
/// So modules are evaluated in the order of their imports and once, as the language has it, and a part that is in a pack
/// but not wanted yet is not evaluated. Functions that may wait are `async`. Under the address of a module lies one that
/// exports what the pack has, so that an importer that names a single module gets the same objects as the page.
///
/// Imported names are copied when the module begins. That is the same as the live bindings of the language because
/// exports are constants, functions and classes (`ModuleText` refuses others), and no modules import one another.
struct Packs {
    /// Texts by path from the root of the assets, in place of the modules' own.
    private(set) var files: [String: String] = [:]
    /// By page, the packs that it needs beside `main.js`: paths from the root of the assets.
    private(set) var ofPages: [String: [String]] = [:]

    private let graph: ModuleGraph
    private let numbers: [String: Int]
    /// The modules whose functions wait, or call one that does.
    private let waiting: Set<String>
    private static let folder = "packs"

    /// Modules that are not in packs because they are not understood, with the reasons. They and the modules that import
    /// them are served one by one, and work all the same.
    private(set) var refusals: [ModuleText.Refusal] = []

    /// - Parameter others: Modules that others than the page import under their own addresses.
    /// - Throws: `ModuleText.Refusal` if `main.js` cannot be in a pack.
    init(_ texts: [String: String], others: some Sequence<String>) throws {
        var modules: [String: ModuleText] = [:]
        var others = Array(others)
        for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
            do {
                modules[path] = try ModuleText(path: path, text: text)
            } catch let refusal as ModuleText.Refusal {
                refusals.append(refusal)
                others += ModuleText.programs(in: text, path)
            }
        }
        for refusal in refusals { Self.leaveOut(refusal.path, &modules) }
        var found: ModuleGraph?
        while found == nil {
            guard modules[ModuleGraph.entry] != nil else {
                throw refusals.last ?? ModuleText.Refusal(path: ModuleGraph.entry, reason: "does not exist")
            }
            do {
                found = try ModuleGraph(modules, others: others)
            } catch let refusal as ModuleText.Refusal {
                refusals.append(refusal)
                others += modules[refusal.path]?.programs ?? []
                Self.leaveOut(refusal.path, &modules)
            }
        }
        guard let graph = found else { preconditionFailure("the loop ends with a graph or an error") }
        self.graph = graph
        // By path, so that the same modules give the same packs.
        let paths = modules.keys.sorted()
        numbers = Dictionary(uniqueKeysWithValues: zip(paths, 0...))
        var waiting: Set<String> = []
        for path in graph.closure(of: paths) {
            guard let module = modules[path] else { continue }
            if module.mayWait || module.imports.contains(where: { waiting.contains($0.module) }) {
                waiting.insert(path)
            }
        }
        self.waiting = waiting
        let members = Dictionary(grouping: paths.filter { graph.packs[$0] != nil }) { graph.packs[$0] ?? "" }
        for (pack, paths) in members { files[Self.path(pack)] = text(of: pack, paths) }
        for path in paths where graph.packs[path] != nil && path != ModuleGraph.entry && !graph.plain.contains(path) {
            files[path] = facade(path)
        }
        for path in paths {
            guard let page = ModuleGraph.page(path) else { continue }
            let packs = Set(graph.closure(of: [path]).compactMap { graph.packs[$0] }).subtracting(["main"])
            ofPages[page] = packs.sorted().map(Self.path)
        }
    }

    /// Takes a module out, and those that import it: a pack cannot wait for a module that is not in one.
    private static func leaveOut(_ path: String, _ modules: inout [String: ModuleText]) {
        var left = [path]
        while let path = left.popLast() {
            modules[path] = nil
            left += modules.filter { $0.value.imports.contains { $0.module == path } }.keys
        }
    }

    static func path(_ pack: String) -> String { pack == "main" ? ModuleGraph.entry : "\(folder)/\(pack).js" }

    private func function(_ path: String) -> String { "__m\(numbers[path] ?? 0)" }

    private func call(_ path: String) -> String { "\(waiting.contains(path) ? "await " : "")\(function(path))()" }

    private func text(of pack: String, _ paths: [String]) -> String {
        var lines: [String] = []
        var borrowed: [String: Set<String>] = [:]
        for path in paths {
            for other in graph.modules[path]?.imports ?? [] {
                guard let home = graph.packs[other.module], home != pack else { continue }
                borrowed[home, default: []].insert(function(other.module))
            }
        }
        if pack == "main" {
            lines += loader()
        } else {
            borrowed["main", default: []].formUnion(["__root", ModuleText.load])
        }
        let up = pack == "main" ? "./" : "../"
        for (home, names) in borrowed.sorted(by: { $0.key < $1.key }) {
            lines.append("import {\(names.sorted().joined(separator: ", "))} from '\(up)\(Self.path(home))';")
        }
        for path in paths { lines += module(path) }
        if pack == "main" { lines.append(call(ModuleGraph.entry) + ";") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func module(_ path: String) -> [String] {
        guard let module = graph.modules[path] else { return [] }
        let (function, number) = (function(path), numbers[path] ?? 0)
        let isWaiting = waiting.contains(path)
        var lines = [
            "var __n\(number); export function \(function)() { return __n\(number) ??= (\(isWaiting ? "async " : "")() => {"
        ]
        if module.usesAddress { lines.append("const \(ModuleText.address) = __root + '\(path)';") }
        for other in module.imports {
            let names = other.names.map { $0.there == $0.here ? $0.here : "\($0.there): \($0.here)" }
            let target = other.namespace ?? (names.isEmpty ? nil : "{\(names.joined(separator: ", "))}")
            lines.append((target.map { "const \($0) = " } ?? "") + call(other.module) + ";")
        }
        lines += module.body
        let exports = module.exports.map { $0.outside == $0.inside ? $0.outside : "\($0.outside): \($0.inside)" }
        lines.append("return {\(exports.joined(separator: ", "))}; })(); }")
        return lines
    }

    /// What takes the place of `import()`: it knows in which pack a module is. Others are fetched as they are.
    private func loader() -> [String] {
        let known = graph.roots.sorted().compactMap { path in
            graph.packs[path].map { "'\(path)': ['\(Self.path($0))', '\(function(path))']" }
        }
        return [
            "export const __root = new URL('.', import.meta.url).href;",
            "const __packs = {\(known.joined(separator: ", "))};",
            "export const \(ModuleText.load) = (at, name) => {", "const url = new URL(name, at).href;",
            "const found = url.startsWith(__root) ? __packs[url.slice(__root.length)] : undefined;",
            "return found ? import(__root + found[0]).then(pack => pack[found[1]]()) : import(url);", "};",
        ]
    }

    /// The module under the address of its own.
    private func facade(_ path: String) -> String {
        let up = String(repeating: "../", count: path.split(separator: "/").count - 1)
        let home = Self.path(graph.packs[path] ?? "main")
        var lines = [
            "import {\(function(path))} from '\(up.isEmpty ? "./" : up)\(home)';", "const __all = \(call(path));",
        ]
        for (name, _) in graph.modules[path]?.exports ?? [] { lines.append("export const \(name) = __all.\(name);") }
        return lines.joined(separator: "\n") + "\n"
    }
}
