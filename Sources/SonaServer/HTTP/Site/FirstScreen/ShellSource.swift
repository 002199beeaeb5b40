/// What the page's own modules say of the frame around every page: its links, and the icons it draws.
///
/// Read from `shell/shell.js` and `shell/icons.js`, so that the frame in the document and the one that the script draws
/// cannot differ. A line that is not understood gives no link; `FirstScreenTests` counts them.
struct ShellSource: Sendable, Hashable {
    struct Link: Sendable, Hashable {
        var path: String
        /// The key of its name.
        var name: String
        var icon: String
        /// The pages at which it is the present one.
        var pages: [String]
    }

    /// The links that everybody has, at the head and in one's own corner.
    private(set) var places: [Link] = []
    private(set) var corner: [Link] = []
    /// The data of SVG paths by name.
    private(set) var icons: [String: String] = [:]
    /// The path in our mark, around a circle.
    private(set) var mark = ""

    init(shell: String, icons text: String) {
        let lines = shell.split(separator: "\n")
        (places, corner) = (Self.links("places", lines), Self.links("corner", lines))
        for line in text.split(separator: "\n") {
            guard let found = line.wholeMatch(of: /\s+'?([a-z0-9-]+)'?: '([^']+)',/) else { continue }
            icons[String(found.1)] = String(found.2)
        }
        mark = text.firstMatch(of: /class: 'mark'[^;]*? d: '([^']+)'/).map { String($0.1) } ?? ""
    }

    /// The links of `const NAME = () => [` … `];` that need no account: of others it is not known yet whose they are.
    private static func links(_ name: String, _ lines: [Substring]) -> [Link] {
        lines.drop { $0 != "const \(name) = () => [" }.prefix { $0 != "];" }.compactMap { line in
            guard
                let found = line.wholeMatch(
                    of: /\s+\{path: '([^']+)', name: t\('([^']+)'\), icon: '([^']+)', pages: \[([^\]]*)\]\},/)
            else { return nil }
            let pages = found.4.split(separator: ",").map { $0.filter { $0 != " " && $0 != "'" } }
            return Link(path: String(found.1), name: String(found.2), icon: String(found.3), pages: pages)
        }
    }
}
