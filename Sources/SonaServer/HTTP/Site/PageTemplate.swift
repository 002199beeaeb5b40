/// The page's document, of which `index.html` is the pattern.
///
/// `{{card}}` becomes the preview, `{{preloads}}` names what this page needs beside the modules and styles that every
/// page needs, `{{screen}}` becomes what is seen before the script runs, and `{{assets}}` the address of the files.
struct PageTemplate: Sendable {
    /// All styles of the page in one file.
    static let style = "styles/all.css"
    /// The language of a browser that names none of ours.
    private static let fallback = "en"

    private let text: String
    private let assets: String
    /// By page, paths of packs.
    private let packs: [String: [String]]
    private let languages: Set<String>
    private let screen: FirstScreen?

    var isEmpty: Bool { text.isEmpty }

    /// - Parameters:
    ///   - hasOneStyle: Whether one line takes the place of the lines that name styles.
    ///   - screen: `nil` for documents without anything to be seen.
    init(
        _ index: String, assets: String, packs: [String: [String]], hasOneStyle: Bool, languages: Set<String>,
        screen: FirstScreen?
    ) {
        var lines = index.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let styled = lines.indices.filter { Self.style(lines[$0]) != nil }
        if hasOneStyle, let first = styled.first {
            lines[first] = Self.styleLine("{{assets}}/\(Self.style)")
            for index in styled.dropFirst().reversed() { lines.remove(at: index) }
        }
        text = lines.joined(separator: "\n").replacing("{{assets}}", with: assets)
        (self.assets, self.packs, self.languages, self.screen) = (assets, packs, languages, screen)
    }

    /// The styles that a document names, in their order.
    static func styles(of index: String) -> [String] { index.split(separator: "\n").compactMap(style) }

    private static func styleLine(_ address: String) -> String { "<link rel=\"stylesheet\" href=\"\(address)\">" }

    /// The path of the style that a line names.
    private static func style(_ line: some StringProtocol) -> String? {
        let (before, after) = ("<link rel=\"stylesheet\" href=\"{{assets}}/", "\">")
        guard line.hasPrefix(before), line.hasSuffix(after) else { return nil }
        return String(line.dropFirst(before.count).dropLast(after.count))
    }

    /// The language that a browser wants most, as the page chooses it for somebody who has chosen none.
    ///
    /// Source: RFC 9110 §12.5.4. Browsers name the language of `navigator.language` first.
    func language(_ header: String?) -> String {
        let first = (header ?? "").drop { $0 == " " }.prefix { $0.isASCII && $0.isLetter }.lowercased()
        return languages.contains(first) ? first : Self.fallback
    }

    func text(_ face: PageFace) -> String {
        let preloads = (packs[face.page] ?? []).map { "<link rel=\"modulepreload\" href=\"\(assets)/\($0)\">" }
        let words =
            languages.contains(face.language)
            ? ["<link rel=\"preload\" href=\"\(assets)/\(FirstWords.path(face.language))\" as=\"fetch\" crossorigin>"]
            : []
        let values = [
            "preloads": (preloads + words).joined(separator: "\n"), "language": face.language,
            "card": (face.card ?? Self.card).markup, "screen": screen?.markup(face) ?? "",
        ]
        // In one pass: a value may hold what people typed, and brackets in it stay what they are.
        var text = "", rest = self.text[...]
        while let opening = rest.firstRange(of: "{{"), let closing = rest[opening.upperBound...].firstRange(of: "}}") {
            text += rest[..<opening.lowerBound] + (values[String(rest[opening.upperBound..<closing.lowerBound])] ?? "")
            rest = rest[closing.upperBound...]
        }
        return text + rest
    }

    /// The card of every page that is about nothing in particular.
    private static let card = PageCard(
        title: "Sona", description: "Somebody plays music; everybody in the room hears the same moment of it.",
        path: "/")
}
