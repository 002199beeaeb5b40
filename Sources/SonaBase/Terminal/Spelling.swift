/// Finds the word that somebody meant.
public enum Spelling {
    /// The most similar word, if it is similar enough to be a misspelling: one change for each three letters, two at
    /// least in words of five letters and more.
    ///
    /// - Parameter changesMax: How many letters may be wrong, in place of that.
    /// - Returns: `nil` if no word is similar. Of several equally similar words the first in alphabetical order.
    public static func nearest(
        to word: String, among words: some Collection<String>, changesMax: Int? = nil
    ) -> String? {
        let letters = Array(word.utf8)
        let changesMax = changesMax ?? max(letters.count < 5 ? 1 : 2, letters.count / 3)
        return words.map { (changes(letters, Array($0.utf8)), $0) }
            .filter { $0.0 <= changesMax }
            .min { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }?.1
    }

    /// Letters to insert, drop, replace or exchange with their neighbour to come from one word to the other.
    ///
    /// Optimal string alignment distance; O(product of the lengths).
    public static func changes(_ from: [UInt8], _ to: [UInt8]) -> Int {
        var rows = [[Int]](repeating: Array(0...to.count), count: from.count + 1)
        for i in 0..<from.count {
            rows[i + 1][0] = i + 1
            for j in 0..<to.count {
                let replaced = rows[i][j] + (from[i] == to[j] ? 0 : 1)
                var best = min(replaced, rows[i][j + 1] + 1, rows[i + 1][j] + 1)
                if i > 0, j > 0, from[i] == to[j - 1], from[i - 1] == to[j] { best = min(best, rows[i - 1][j - 1] + 1) }
                rows[i + 1][j + 1] = best
            }
        }
        return rows[from.count][to.count]
    }
}
