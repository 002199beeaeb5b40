import Testing

struct ModuleGraphTests {
    private let manifest: PackageManifest

    init() throws { manifest = PackageManifest(try SourceTree.text("Package.swift")) }

    /// Targets with Swift sources, not those of tests.
    private var targets: [PackageManifest.Target] {
        manifest.targets.values.filter { ModuleGraph.rows[$0.name] != nil }.sorted { $0.name < $1.name }
    }

    /// The imports of a target that are modules of the package, without the system's.
    private func declarable(_ imports: Set<String>) -> Set<String> {
        let products = manifest.targets.values.reduce(into: Set<String>()) { $0.formUnion($1.products) }
        return imports.filter { manifest.targets[$0] != nil || products.contains($0) }
    }

    @Test func `every folder of Sources is a target, and every target with Swift sources has a row`() throws {
        let folders = try SourceTree.names("Sources").filter { $0 != "README.md" }
        let declared = manifest.targets.values.filter { $0.folder.hasPrefix("Sources/") }.map(\.name)
        #expect(Set(folders) == Set(declared))
        let swift = try folders.filter { try !SourceTree.swiftFiles("Sources/\($0)").isEmpty }
        #expect(Set(swift) == Set(ModuleGraph.rows.keys))
    }

    @Test(arguments: ModuleGraph.rows.keys.sorted())
    func `a target imports exactly the modules of its row`(name: String) throws {
        let row = try #require(ModuleGraph.rows[name])
        let imports = declarable(try SourceTree.imports("Sources/\(name)"))
        let wanted = row.ours.union(row.others)
        #expect(imports == wanted, "too many: \(imports.subtracting(wanted)), missing: \(wanted.subtracting(imports))")
    }

    @Test(arguments: ModuleGraph.rows.keys.sorted())
    func `a target declares exactly the modules that it imports`(name: String) throws {
        let target = try #require(manifest.targets[name])
        let imports = declarable(try SourceTree.imports(target.folder))
        let declared = target.dependencies.union(target.products)
        #expect(
            imports == declared, "idle: \(declared.subtracting(imports)), undeclared: \(imports.subtracting(declared))")
    }

    /// A test may declare programs that it starts and does not import.
    @Test func `a test target declares its imports and, besides them, only programs`() throws {
        for target in manifest.targets.values where target.folder.hasPrefix("Tests/") {
            let imports = declarable(try SourceTree.imports(target.folder))
            #expect(imports.subtracting(target.dependencies).isEmpty, "\(target.name) imports without declaring")
            let idle = target.dependencies.subtracting(imports).filter { name in
                manifest.targets[name]?.kind != .executableTarget
            }
            // A target of C has no import lines.
            let isSwift = try !SourceTree.swiftFiles(target.folder).isEmpty
            #expect(idle.isEmpty || !isSwift, "\(target.name) declares without importing: \(idle)")
        }
    }

    @Test func `every dependency is a target, and no target depends on itself by any way`() {
        for target in manifest.targets.values {
            var reached: Set<String> = []
            var waiting = Array(target.dependencies)
            while let name = waiting.popLast() {
                guard reached.insert(name).inserted else { continue }
                guard let next = manifest.targets[name] else {
                    Issue.record("\(target.name) depends on \(name), which is not a target.")
                    continue
                }
                waiting += next.dependencies
            }
            #expect(!reached.contains(target.name), "\(target.name) depends on itself.")
        }
    }

    @Test func `no target of Sources depends on a program or on test support`() {
        for target in targets {
            for name in target.dependencies {
                guard let dependency = manifest.targets[name] else { continue }
                #expect(dependency.folder.hasPrefix("Sources/"), "\(target.name) depends on \(name).")
                #expect(dependency.kind == .target || dependency.kind == .systemLibrary)
            }
        }
    }
}

/// The readers of text themselves: what they overlook, no other test finds.
struct SourceReadingTests {
    @Test func `every form of import is read, and nothing else`() {
        let text = """
            import One
            internal import Two
            public  import struct Three.Thing
            @testable import Four
            // import Five
                import Six
            @preconcurrency package import Seven
            let important = 8
            """
        #expect(SourceTree.imports(ofText: text) == ["One", "Two", "Three", "Four", "Seven"])
    }

    @Test func `targets are read with their lists, whatever else is declared`() throws {
        let manifest = PackageManifest(
            """
            .executable(name: "p", targets: ["p"]),
            // .target(name: "gone", dependencies: ["x"]),
            .systemLibrary(name: "C", pkgConfig: "c", providers: [.apt(["c-dev"])]),
            .executableTarget(
                name: "p",
                dependencies: [
                    "A", "C",
                    .product(name: "Q", package: "q"),
                ],
                swiftSettings: strict),
            .target(name: "A", path: "Elsewhere"),
            """)
        #expect(manifest.targets.keys.sorted() == ["A", "C", "p"])
        let program = try #require(manifest.targets["p"])
        #expect(program.dependencies == ["A", "C"] && program.products == ["Q"] && program.folder == "Sources/p")
        #expect(manifest.targets["A"]?.folder == "Elsewhere")
        #expect(manifest.targets["C"]?.dependencies == [])
    }
}
