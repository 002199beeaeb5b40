import Glibc
import SonaTestSupport
import Testing

/// A piece of a program, with `// here` on the line that has the error.
struct Snippet: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: String
    /// Part of the compiler's sentence.
    let error: String

    init(_ name: String, _ code: String, _ error: String) {
        (testDescription, self.code, self.error) = (name, code, error)
    }

    /// One line inside of a read or of a write.
    static func inside(_ access: String, _ name: String, _ line: String, _ error: String) -> Self {
        Snippet(
            name,
            """
            func use(_ pool: DatabasePool, _ input: String) async throws {
                try await pool.\(access) { db in
                    \(line) // here
                }
            }
            """, error)
    }

    /// One program of all of them, each in a type of its own, which its code calls `S`.
    static func program(_ preamble: String, _ snippets: [Snippet]) -> String {
        var program = preamble
        for (place, snippet) in snippets.enumerated() {
            program += "enum Snippet\(place) { enum S {\n\(snippet.code)\n} }\n"
        }
        return program
    }

    /// Its lines in the program, and the marked one among them; counted from 1.
    static func lines(
        of snippet: Snippet, in preamble: String, _ snippets: [Snippet]
    ) -> (all: Range<Int>, marked: Int)? {
        guard let place = snippets.firstIndex(where: { $0.testDescription == snippet.testDescription }) else {
            return nil
        }
        let start = program(preamble, Array(snippets[..<place])).count { $0 == "\n" } + 2
        let lines = snippet.code.split(separator: "\n", omittingEmptySubsequences: false)
        guard let marked = lines.firstIndex(where: { $0.hasSuffix("// here") }) else { return nil }
        return (start..<start + lines.count, start + marked)
    }
}

/// The compiler on the PATH, with the settings of the tests.
enum Compiler {
    /// Reads the program and forgets what it made of it.
    static func read(_ preamble: String, _ snippets: [Snippet]) async throws -> (status: Int32, text: String) {
        let folder = TemporaryFolder()
        let source = folder.file("snippets.swift")
        TemporaryFolder.write(Array(Snippet.program(preamble, snippets).utf8), toFile: source)
        let build = try #require(buildFolder, "the folder of the built modules is not beside the tests")
        let compiler = try #require(path, "there is no swiftc on the PATH")
        let arguments = [
            compiler, "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library",
            "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "InternalImportsByDefault",
            "-enable-upcoming-feature", "MemberImportVisibility", "-diagnostic-style", "llvm",
            "-I", build + "/Modules", "-module-cache-path", build + "/ModuleCache",
            "-Xcc", "-fmodule-map-file=" + moduleMap, source,
        ]
        let output = folder.file("output")
        let status = try await onThread { try run(arguments, output: output) }
        return (status, String(decoding: TemporaryFolder.bytes(ofFile: output) ?? [], as: UTF8.self))
    }

    /// Blocks the thread until the program has ended.
    private static func run(_ arguments: [String], output: String) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, arguments[0], &actions, nil, &words, environ)
        try #require(code == 0, "\(arguments[0]) can't be started: \(String(cString: strerror(code)))")
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static let path: String? = getenv("PATH").flatMap { path in
        String(cString: path).split(separator: ":").map { $0 + "/swiftc" }.first { access($0, X_OK) == 0 }
    }

    /// Where the tests were built: their own program lies there, and the modules in a folder of it.
    private static let buildFolder: String? = {
        var path = [UInt8](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &path, path.count)
        guard count > 0 else { return nil }
        let program = String(decoding: path[..<count], as: UTF8.self)
        let folder = program.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        return access(folder + "/Modules/SonaDatabase.swiftmodule", R_OK) == 0 ? folder : nil
    }()

    private static let moduleMap: String = {
        let root = "\(#filePath)".split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        return root + "/Sources/CSQLite/module.modulemap"
    }()
}
