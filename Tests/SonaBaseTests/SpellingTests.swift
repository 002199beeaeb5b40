import SonaBase
import Testing

struct SpellingTests {
    @Test(
        arguments: [
            ("listn", "listen"), ("listen", "listen"), ("lsiten", "listen"), ("publicurl", "public-url"), ("l", nil),
            ("smpt", "smtp"), ("completely", nil), ("sendmale", "sendmail"),
        ])
    func `a word that was nearly right finds the right one`(word: String, right: String?) {
        #expect(Spelling.nearest(to: word, among: ["listen", "public-url", "sendmail", "smtp"]) == right)
    }

    @Test func `changes are counted as one letter in, out, other, or exchanged`() {
        for (from, to, count) in [
            ("", "", 0), ("a", "", 1), ("abc", "abd", 1), ("abc", "acb", 1), ("kitten", "sitting", 3),
        ] {
            #expect(Spelling.changes(Array(from.utf8), Array(to.utf8)) == count)
        }
    }
}
