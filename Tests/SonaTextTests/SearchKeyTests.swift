import SonaTestSupport
import SonaText
import Testing

@Suite struct SearchKeyTests {
    @Test(arguments: [
        ("Beyoncé – Déjà Vu", "beyonce deja vu"), ("Łódź, Straße", "lodz strasse"), ("ØRSTED Đorđe", "orsted dorde"),
        ("Ёлка", "елка"), ("Æther œuvre Þór", "aether oeuvre thor"),
        ("İstanbul ISPARTA ısparta", "istanbul isparta isparta"),
        ("Nguyễn", "nguyen"), ("ΆΣΜΑ άσμας", "ασμα ασμασ"), ("e\u{301}\u{302}", "e"), ("Ａ１ ﬁ ① ㎞", "a1 fi 1 km"),
        ("مُحَمَّد مـحمد أحمد", "محمد محمد احمد"), ("שָׁלוֹם", "שלום"),
        ("ひらがな ｶﾞﾅ", "ヒラガナ ガナ"), ("らーめん ラーメン ﾗｰﾒﾝ", "ラーメン ラーメン ラーメン"), ("か が", "カ ガ"),
        ("हिन्दी", "हिन्दी"), ("ภาษาไทย", "ภาษาไทย"), ("한국", "한국"),
        ("東京Perfume 3年B組", "東京 perfume 3 年 b 組"), ("★ Blackstar 🔥beats", "★ blackstar 🔥 beats"),
        ("a\u{200B}b\u{AD}c", "abc"), ("a\u{0}b\tc\u{A0}d\u{3000}e", "a b c d e"), ("  a   b  ", "a b"),
        ("!!! ... –", ""), ("", ""), ("1\u{FE0F}\u{20E3}", "1"), ("\u{301}\u{93F}", ""),
        // What encloses goes, and the marks on both its sides come into the order of NFD.
        ("\u{F2B}\u{F80}\u{20E0}\u{F84}", "\u{F2B}\u{F84}\u{F80}"),
    ])
    func `how a text was typed makes no difference`(typed: String, expected: String) {
        #expect(SearchKey(typed).text == expected, "\(scalars(SearchKey(typed).text))")
    }

    @Test(arguments: [
        ("AC/DC", "ac dc acdc"), ("Don't", "don t dont"), ("Don’t", "don t dont"), ("R.E.M.", "r e m rem"),
        ("Kaʻahumanu", "ka ahumanu kaahumanu"), ("(feat. X)", "feat x"), ("P!nk", "p nk pnk"),
        ("ada.lovelace", "ada lovelace adalovelace"),
    ])
    func `words that punctuation joins count as one too`(typed: String, expected: String) {
        #expect(SearchKey(typed).text == expected)
    }

    @Test func `the key of a key is the key, whatever the script`() {
        var texts = RandomTexts(seed: 51)
        for _ in 0..<50_000 {
            let text = texts.next()
            let key = SearchKey(text)
            guard SearchKey(key.text) == key, Array(SearchKey(key.text).text.utf8) == Array(key.text.utf8) else {
                Issue.record("\(scalars(text)) has the key \(scalars(key.text)), which has another.")
                return
            }
        }
    }

    @Test func `a text is found by itself, and by every beginning of it`() {
        var texts = RandomTexts(seed: 52)
        for _ in 0..<5_000 {
            let text = texts.next()
            let key = SearchKey(text)
            var beginning = ""
            for scalar in text.unicodeScalars.filter({ $0.value < 0x80 }) {
                beginning.unicodeScalars.append(scalar)
            }
            #expect(key.prefixMatches(SearchQuery(text)), "\(scalars(text))")
            let ascii = SearchKey(beginning)
            for length in 0...beginning.utf8.count {
                let query = SearchQuery(String(decoding: Array(beginning.utf8.prefix(length)), as: UTF8.self))
                #expect(ascii.prefixMatches(query), "\(beginning) \(length)")
            }
        }
    }

    @Test(arguments: [
        ("Beyoncé – Déjà Vu", "deja be"), ("Beyoncé – Déjà Vu", "DÉJÀ"), ("Beyoncé", ""), ("Beyoncé", " - "),
        ("AC/DC", "acd"), ("AC/DC", "ac dc"), ("AC/DC", "ac/d"), ("AC DC", "ac/dc"), ("ACDC", "ac/dc"),
        ("Don't Stop Believin'", "dont stop bel"), ("Dont Stop", "don't"), ("L’amour", "amour"), ("L’amour", "lamour"),
        ("東京音楽", "音楽"), ("東京音楽", "京音"), ("らーめん屋", "メン"), ("Perfume東京", "perf 東"), ("ภาษาไทย", "ไทย"),
        ("한국", "하"), ("한국", "ㅎ"), ("が", "ｶ"), ("Ёлка", "елка"), ("Ёлка", "ёл"), ("anna", "an an"), ("♥ u", "♥"),
    ])
    func `every word of the query begins a word of the text`(text: String, query: String) {
        #expect(SearchKey(text).prefixMatches(SearchQuery(query)))
    }

    @Test(arguments: [
        ("Beyoncé", "yonce"), ("Beyoncé", "beyoncee"), ("Beyoncé – Déjà Vu", "deja x"), ("", "a"), ("ACDC", "ac dc"),
        ("東京音楽", "楽音"), ("한국", "국수"), ("abc", "abc d"), ("adalovelace", "lovelace"), ("a b", "ab"),
    ])
    func `a text that begins no word is not found`(text: String, query: String) {
        #expect(!SearchKey(text).prefixMatches(SearchQuery(query)))
    }

    @Test func `stored keys still match`() {
        let key = SearchKey("Beyoncé")
        let kept = SearchKey(stored: key.text)
        #expect(kept == key && kept.prefixMatches(SearchQuery("bey")) && kept.description == "beyonce")
        #expect(SearchKey("!!!").isEmpty && !key.isEmpty)
        #expect(SearchQuery("!!!").isEmpty && !SearchQuery("a").isEmpty)
    }

    @Test func `ten thousand names are searched as one is`() {
        var texts = RandomTexts(seed: 53)
        let names = (0..<10_000).map { _ in texts.nextUsername() }
        let keys = names.map { SearchKey($0) }
        let query = SearchQuery("al")
        // A word begins where letters and digits do, or at the start of all of them together.
        let expected = names.count { name in
            name.lowercased().split { "_.-".contains($0) }.contains { $0.hasPrefix("al") }
                || name.lowercased().filter { !"_.-".contains($0) }.hasPrefix("al")
        }
        #expect(keys.count { $0.prefixMatches(query) } == expected)
        #expect(expected > 10)
    }
}
