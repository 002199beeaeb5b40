import Glibc
import SonaEventLoop
import SonaTestSupport
import Testing

@testable import SonaServer

@Suite struct SiteTests {
    private static let text = String(repeating: "a line of a module;\n", count: 200)
    private let site = Site(
        SiteFiles([
            "index.html": Array("{{card}}\n<script src=\"{{assets}}/main.js\"></script>".utf8),
            "main.js": Array("begin();".utf8), "store/large.js": Array(text.utf8), "store/tiny.js": Array("1".utf8),
            "icons/icon.png": [0x89, 0x50, 0x4E, 0x47],
            "sw.js": Array("const at = '{{assets}}';".utf8), "wire/clock.js": Array(text.utf8),
        ]))

    private func get(
        _ path: String, accepting: String? = nil, knowing: String? = nil, host: String? = "sona.example"
    ) -> HTTPResponse {
        site.response(to: .init(path: path, host: host, acceptEncoding: accepting, ifNoneMatch: knowing))
    }

    private func header(_ name: String, _ response: HTTPResponse) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    private var assets: String { "/assets/\(site.hash)" }

    @Test func `the page names its modules under the hash of the site`() {
        let page = get("/")
        #expect(page.status == 200 && page.contentType == "text/html; charset=utf-8")
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(
            text.hasSuffix("\n<script src=\"\(assets)/main.js\"></script>") && text.hasPrefix("<title>Sona</title>"))
        #expect(header("cache-control", page) == "no-cache")
        #expect(header("cache-control", get("\(assets)/main.js"))?.contains("immutable") == true)
    }

    @Test func `another file, another name or another content gives another hash`() {
        func hash(_ files: [String: String]) -> String {
            Site(SiteFiles(files.mapValues { Array($0.utf8) })).hash
        }
        let hashes = [
            hash(["a.js": "1"]), hash(["b.js": "1"]), hash(["a.js": "2"]), hash(["a.js": "1", "b.js": ""]), hash([:]),
            hash(["a.js": "", "1": ""]),
        ]
        #expect(Set(hashes).count == hashes.count)
        #expect(hash(["a.js": "1", "b.js": "2"]) == hash(["b.js": "2", "a.js": "1"]))
    }

    @Test(arguments: [
        "/", "/r/k2Vb7nQx0ZrT5mLp9sWd", "/r/@ada", "/u/@ada", "/sign-in", "/settings", "/account/recover",
        "/account/confirm",
    ]) func `every address of the page shows the page`(path: String) {
        #expect(get(path).status == 200)
        #expect(get(path).body == get("/").body)
    }

    @Test(arguments: ["/nothing", "/r/", "/r", "/r/a/b", "/settings/", "/index", "/account/recover/x"])
    func `another address shows the page with status 404`(path: String) {
        #expect(get(path).status == 404 && get(path).body == get("/").body)
    }

    @Test(arguments: [
        "/index.html", "/main.js", "/assets/", "/assets/000000000000/main.js", "/v1/unknown", "/nothing.css", "/.env",
        "/wire/clock.js", "/assets/main.js",
    ]) func `an unknown address of a program is a plain 404`(path: String) {
        #expect(get(path).status == 404 && get(path).contentType.hasPrefix("text/plain"))
    }

    @Test func `no spelling of a path leads out of the table`() {
        for path in [
            "\(assets)/../main.js", "\(assets)/./main.js", "\(assets)//main.js", "\(assets)/main.js/", "\(assets)",
        ] {
            #expect(get(path).status == 404, "\(path)")
        }
    }

    @Test(arguments: ["gzip", "GZIP", "br, gzip;q=0.5", "*", "x-gzip", "identity;q=0.5, gzip", " gzip ; q=0.001"])
    func `clients that accept gzip get it`(accepted: String) {
        let response = get("\(assets)/store/large.js", accepting: accepted)
        #expect(header("content-encoding", response) == "gzip")
        #expect(header("vary", response) == "accept-encoding")
        #expect(response.body.starts(with: [0x1F, 0x8B]) && response.body.count < Self.text.utf8.count / 4)
    }

    @Test(arguments: [nil, "", "br", "gzip;q=0", "gzip;q=0.4, identity", "*;q=0", "gzip;q=x", "gzip;q=2"] as [String?])
    func `other clients get the plain bytes`(accepted: String?) {
        let response = get("\(assets)/store/large.js", accepting: accepted)
        #expect(header("content-encoding", response) == nil)
        #expect(header("vary", response) == "accept-encoding")
        #expect(response.body == Array(Self.text.utf8))
    }

    @Test func `a file that gzip does not shorten is never compressed`() {
        for path in ["\(assets)/store/tiny.js", "\(assets)/icons/icon.png"] {
            let response = get(path, accepting: "gzip")
            #expect(header("content-encoding", response) == nil && header("vary", response) == nil)
        }
        #expect(get("\(assets)/icons/icon.png").contentType == "image/png")
    }

    @Test func `each coding has its own tag, and a version that the client has is not sent again`() throws {
        let path = "\(assets)/store/large.js"
        let plain = try #require(header("etag", get(path)))
        let packed = try #require(header("etag", get(path, accepting: "gzip")))
        #expect(plain != packed)
        for known in [packed, "W/\(packed)", "\"other\", \(packed)", "*"] {
            let response = get(path, accepting: "gzip", knowing: known)
            #expect(response.status == 304 && response.body.isEmpty && header("content-encoding", response) == nil)
            #expect(header("etag", response) == packed)
        }
        #expect(get(path, accepting: "gzip", knowing: plain).status == 200)
        #expect(get("/nothing", knowing: "*").status == 404)
    }

    @Test func `the policy names the requested host, but no text that would end the policy`() throws {
        let policy = try #require(header("content-security-policy", get("/")))
        #expect(policy.contains("default-src 'self'") && policy.contains("ws://sona.example wss://sona.example"))
        #expect(!policy.contains("unsafe") && !policy.contains("*"))
        for host in ["evil; script-src *", "a b", "a,b", "a\"", String(repeating: "a", count: 300), nil] {
            let policy = try #require(header("content-security-policy", get("/", host: host)))
            #expect(policy.contains("connect-src 'self';"), "\(host ?? "none")")
        }
        #expect(header("content-security-policy", get("/", host: "[::1]:8337"))?.contains("ws://[::1]:8337") == true)
    }

    @Test func `comments and indentation are not served`() {
        let module = """
            // The kind of file.
            export const a = `x // not a comment`;  // kept

            /** One line. */
            class B {
              /*
               * Several,
               // with one inside. */
              url = 'http://example.org';
            }
            """
        #expect(
            SourceText.lean(module) == """
                export const a = `x // not a comment`;  // kept
                class B {
                url = 'http://example.org';
                }

                """)
    }

    @Test(arguments: [
        "const a = `one\n  // two\n`;\n", "/* a */ code();\n", "  /* never ends\n", "/*/ code */ more();\n",
    ]) func `a text that cannot be stripped line by line stays as it is`(module: String) {
        #expect(SourceText.lean(module) == module)
    }

    @Test func `the player's files are served as written, except for removed lines`() {
        for (path, bytes) in SiteFiles.embedded.contents where path.hasSuffix(".js") || path.hasSuffix(".css") {
            let text = String(decoding: bytes, as: UTF8.self)
            let lean = SourceText.lean(text)
            #expect(lean != text || !text.contains("\n  ") && !text.contains("/*"), "\(path) has code after a comment")
            // Only in templates of several lines indentation counts.
            func bare(_ text: String) -> [Substring] { text.split(separator: "\n").map { $0.drop { $0 == " " } } }
            #expect(bare(lean).allSatisfy(Set(bare(text)).contains), "\(path)")
        }
    }

    @Test func `the service worker names the assets of its own version`() {
        #expect(String(decoding: get("/sw.js").body, as: UTF8.self) == "const at = '\(assets)';\n")
        #expect(header("cache-control", get("/sw.js")) == "no-cache")
    }

    @Test func `modules for other players keep their addresses`() {
        #expect(get("/clock.js").body == get("\(assets)/wire/clock.js").body)
        #expect(header("cache-control", get("/clock.js")) == "no-cache")
    }

    @Test func `a server without its page says so`() {
        let empty = Site(SiteFiles())
        #expect(empty.response(to: .init(path: "/")).status == 503)
    }

    @Test func `the program contains the player`() {
        let embedded = SiteFiles.embedded.contents
        #expect(
            embedded["index.html"]?.isEmpty == false && embedded["main.js"] != nil && embedded["locales/pl.json"] != nil
        )
    }

    @Test func `a folder is read with its subfolders, without hidden and linked files`() {
        let folder = TemporaryFolder()
        for name in ["a", "a/b", "a/.git"] { #expect(mkdir(folder.file(name), 0o700) == 0) }
        for (path, text) in [("index.html", "page"), ("a/b/c.js", "module"), (".hidden.js", "x"), ("a/.git/x.js", "x")]
        {
            TemporaryFolder.write(Array(text.utf8), toFile: folder.file(path))
        }
        #expect(symlink(folder.file("index.html"), folder.file("linked.html")) == 0)
        let files = SiteFiles(folder: folder.path).contents
        #expect(files == ["index.html": Array("page".utf8), "a/b/c.js": Array("module".utf8)])
        #expect(SiteFiles(folder: folder.path + "/nowhere").contents.isEmpty)
    }

    @Test func `only the embedded player and the form for song requests may stand in a frame of another site`() {
        func policy(_ path: String) -> String { header("content-security-policy", get(path)) ?? "" }
        #expect(policy("/embed/r/@ada").contains("frame-ancestors *;"))
        #expect(header("cross-origin-resource-policy", get("/embed/r/@ada")) == "cross-origin")
        #expect(policy("/embed/requests/@ada").contains("frame-ancestors *;"))
        for path in ["/", "/r/@ada", "/embed/", "/embed/u/@ada", "/settings", "\(assets)/main.js"] {
            #expect(policy(path).contains("frame-ancestors 'none'") || get(path).status == 404, "\(path)")
        }
        #expect(get("/embed/r/@ada").status == 200 && get("/embed/").status == 404)
        #expect(header("cross-origin-resource-policy", get("/r/@ada")) == "same-origin")
    }
}
