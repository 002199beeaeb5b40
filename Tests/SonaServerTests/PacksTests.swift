import SonaEventLoop
import Testing

@testable import SonaServer

/// The page's modules in fewer files. What these files do when they run is watched in a browser: `page_checks serving`.
@Suite struct PacksTests {
    /// A page of two arrivals, two other pages, a part that is fetched later, and a worker.
    private static let texts = [
        "main.js": """
        // The start.
        import * as router from './router.js';
        import {h as element} from './shell/dom.js';
        const show = page => import(`./components/${page}-page/${page}-page.js`);
        router.begin(show, element);
        """,
        "router.js": "export const begin = (show) => show('home');\n",
        "shell/dom.js": "export const h = 1, s = 2;\nexport {begin} from '../router.js';\n",
        "shell/forms.js": "import {h} from './dom.js';\nexport function form() { return h; }\n" + long,
        "components/room-page/room-page.js": """
        import {chat} from '../room-chat/room-chat.js';
        customElements.define('room-page', class extends HTMLElement { more() { return import('./more.js'); } });
        """,
        "components/room-page/more.js": "import {chat} from '../room-chat/room-chat.js';\nexport const more = chat;\n",
        "components/room-chat/room-chat.js": """
        import {frame} from '../../wire/frames.js';
        export const chat = new Worker(new URL('../../audio/worker.js', import.meta.url), frame);
        """,
        "components/home-page/home-page.js": "await Promise.resolve();\nexport class Home {}\n",
        "components/user-page/user-page.js": "import {form} from '../../shell/forms.js';\nform();\n",
        "components/sign-in-page/sign-in-page.js": "import {form} from '../../shell/forms.js';\nform();\n",
        "audio/worker.js": "import {frame} from '../wire/frames.js';\nonmessage = () => frame;\n",
        "wire/frames.js": "export const frame = 1;\n",
    ]

    /// Enough for a module to be in a pack of pages that need it, and not of all.
    private static let long = String(repeating: "form.name;\n", count: 200)

    private static func packs(_ changes: [String: String?] = [:]) throws -> Packs {
        var texts = Self.texts
        for (path, text) in changes { texts[path] = text }
        return try Packs(texts, others: [])
    }

    /// Why a module that is fetched later is not in a pack.
    private static func refusal(_ text: String) throws -> String? {
        try packs(["components/room-page/more.js": text]).refusals.first.map(\.description)
    }

    @Test func `a visit takes the script of all pages and the one of the page`() throws {
        let packs = try Self.packs()
        #expect(
            packs.ofPages == [
                "room": ["packs/room.js"], "home": ["packs/home.js"], "user": ["packs/shared.js", "packs/user.js"],
                "sign-in": ["packs/shared.js", "packs/sign-in.js"],
            ])
        #expect(
            packs.files.keys.filter { $0.hasPrefix("packs/") }.sorted() == [
                "packs/home.js", "packs/room-page.more.js", "packs/room.js", "packs/shared.js", "packs/sign-in.js",
                "packs/user.js",
            ])
    }

    @Test
    func `modules that the same pages need have a pack of their own if they are large, and the smallest are in all`()
        throws
    {
        let large = "import {h} from './dom.js';\nexport function form() { return h; }\n" + Self.long + Self.long
        let packs = try Self.packs(["shell/forms.js": large])
        #expect(packs.ofPages["user"] == ["packs/shared-shell.forms.js", "packs/user.js"])
        let small = try Self.packs(["shell/forms.js": "export const form = () => 1;\n"])
        #expect(small.ofPages["user"] == ["packs/user.js"])
        #expect(small.files["main.js"]?.contains("\nconst form = () => 1;\n") == true)
    }

    @Test func `a module stands in one pack, as a function`() throws {
        let packs = try Self.packs()
        for (statement, home) in [
            ("const show = page => __import(__at, `./components/${page}-page/${page}-page.js`);", "main.js"),
            ("const h = 1, s = 2;", "main.js"), ("function form() { return h; }", "packs/shared.js"),
            ("const more = chat;", "packs/room-page.more.js"), ("class Home {}", "packs/home.js"),
            ("const frame = 1;", "packs/room.js"),
        ] {
            let found = packs.files.filter { $0.value.contains("\n\(statement)\n") }.keys
            #expect(Array(found) == [home], "\(statement)")
        }
        let main = try #require(packs.files["main.js"])
        #expect(main.contains("const router = __m") && main.contains("const {h: element} = __m"))
        #expect(!main.contains("The start"))
        #expect(main.contains("'components/home-page/home-page.js': ['packs/home.js', '__m"))
        // Another pack's functions are imported by name.
        #expect(
            packs.files["packs/shared.js"]?.contains(/import \{__import, __m\d+, __root\} from '\.\.\/main\.js';/)
                == true)
    }

    @Test func `modules that wait are waited for, and only those`() throws {
        let packs = try Self.packs()
        #expect(packs.files["packs/home.js"]?.contains("(async () => {\nawait Promise.resolve();") == true)
        #expect(packs.files["main.js"]?.contains("async") == false)
        let waiting = try Self.packs(["router.js": "await 0;\nexport const begin = 1;\n"])
        #expect(waiting.files["main.js"]?.contains("const router = await __m") == true)
        #expect(waiting.files["packs/shared.js"]?.contains("const {h} = await __m") == true)
    }

    @Test func `the address of a module gives what is in its pack`() throws {
        let packs = try Self.packs()
        let module = try #require(packs.files["components/room-chat/room-chat.js"])
        #expect(
            module.contains(
                /^import \{(__m\d+)\} from '..\/..\/packs\/room.js';\nconst __all = \1\(\);\nexport const chat = __all.chat;\n$/
            ))
        #expect(packs.files["shell/dom.js"]?.contains("export const begin = __all.begin;") == true)
        #expect(packs.files["components/home-page/home-page.js"]?.contains("const __all = await __m") == true)
    }

    @Test func `workers and other players have the modules as they are`() throws {
        let packs = try Self.packs()
        for path in ["audio/worker.js", "wire/frames.js"] { #expect(packs.files[path] == nil, "\(path)") }
        #expect(packs.files["packs/room.js"]?.contains("new URL('../../audio/worker.js', __at)") == true)
        #expect(try Packs(Self.texts, others: ["router.js"]).files["router.js"] == nil)
    }

    @Test func `a module that only a variable names keeps its text, and is fetched by its address`() throws {
        let packs = try Self.packs([
            "router.js": "const name = './later.js';\nexport const begin = () => import(name);\n",
            "later.js": "import {h} from '../../shell/dom.js';\nexport const later = h;\n",
        ])
        #expect(packs.files["main.js"]?.contains("const begin = () => __import(__at, name);") == true)
        #expect(packs.files["main.js"]?.contains(": import(url);") == true)
        #expect(packs.files["later.js"] == nil)
    }

    @Test func `the same modules give the same packs`() throws {
        #expect(try Self.packs().files == Self.packs().files)
    }

    @Test(arguments: [
        ("export let count = 0;", "an export that is not understood"), ("export default 1;", "not understood"),
        ("export * from '../../shell/dom.js';", "not understood"),
        ("import x from '../../shell/dom.js';", "not understood"), ("export const {a, b} = {};", "not understood"),
        ("import {h}\n  from '../../shell/dom.js';", "several lines"), ("const __m1 = 1;", "a name of ours"),
        ("/* one */ const a = 1;", "a comment or a template"), ("/* one", "a comment or a template"),
        ("const a = `one", "a comment or a template"), ("import {g} from '../../shell/dom.js';", "does not export g"),
        ("import './nowhere.js';", "does not exist"), ("import {a} from 'https://other.example/x.js';", "not ours"),
        ("const a = import.meta.resolve('x');", "import.meta"), ("import './more.js';", "imports itself"),
    ])
    func `a module that is not understood is refused`(text: String, reason: String) throws {
        let refusal = try #require(try Self.refusal(text + "\n"), "\(text)")
        #expect(refusal.contains(reason), "\(text): \(refusal)")
    }

    @Test func `a module that is refused, and what imports it, are served as they are beside the packs`() throws {
        let packs = try Self.packs([
            "shell/forms.js": "export let form = new URL('../wire/frames.js', import.meta.url);\n"
        ])
        #expect(packs.refusals.map(\.path) == ["shell/forms.js"])
        for path in ["shell/forms.js", "components/user-page/user-page.js", "components/sign-in-page/sign-in-page.js"] {
            #expect(packs.files[path] == nil, "\(path)")
        }
        #expect(
            packs.ofPages.keys.sorted() == ["home", "room"] && packs.files["main.js"]?.contains("user-page") == false)
    }

    @Test func `a template of several lines stays as it is`() throws {
        let text = "`one\n  // two\n\nexport const three = import('x');\n`"
        let packs = try Self.packs(["router.js": "// Text.\nconst text = \(text);\nexport const begin = 1;\n"])
        #expect(packs.files["main.js"]?.contains("\nconst text = \(text);\n") == true)
    }

    @Test func `a site whose first module is refused is served module by module`() {
        func site(_ router: String) -> Site {
            var files = Self.texts.mapValues { Array($0.utf8) }
            files["router.js"] = Array(router.utf8)
            files["index.html"] = Array("{{card}}\n{{preloads}}\n<script src=\"{{assets}}/main.js\"></script>".utf8)
            return Site(SiteFiles(files))
        }
        func main(_ site: Site) -> String {
            String(decoding: site.response(to: .init(path: "/assets/\(site.hash)/main.js")).body, as: UTF8.self)
        }
        let packed = site("export const begin = 1;\n"), plain = site("export let begin = 1;\n")
        #expect(packed.refusals.isEmpty && main(packed).contains("__import"))
        #expect(
            plain.refusals.map(\.path) == ["router.js"]
                && main(plain).hasPrefix("import * as router from './router.js';"))
    }

    @Test func `the modules of the program's own page are all in packs`() {
        #expect(Site(.embedded).refusals.isEmpty)
    }
}
