internal import Glibc
internal import SonaWire

/// The outline of a list, made row by row.
///
/// A cursor between two rows is the shortest beginning of the second one's key that is greater than the first one's, so
/// that a thousand of them fit into one message. It stays good when either row is removed.
struct ListOutline {
    /// The last row of a step. If another row follows, a cursor stands between the two.
    private enum Last {
        case text(key: [UInt8], number: Int64)
        case value(Int64, number: Int64)
    }

    private var total = 0
    private var step = Limits.outlineStepMin
    private var cursors: [String] = []
    private var letters: [LibraryLetter] = []
    /// The next of `ListLetters.all`.
    private var nextLetter = 0
    private var last: Last?

    var result: LibraryOutlineResult {
        LibraryOutlineResult(total: total, step: step, cursors: cursors, letters: letters)
    }

    /// Adds a row of a list in the ascending order of sort keys.
    mutating func add(key: UnsafeRawBufferPointer, number: Int64) {
        addLetter(of: key)
        if case .text(let before, let numberBefore) = last {
            let common = zip(before, key).prefix { $0 == $1 }.count
            // Rows with equal keys are ordered by their number, which begins with 1.
            addCursor(
                common < key.count
                    ? LibraryFinder.Place(key: Array(key[0...common]), number: 0)
                    : LibraryFinder.Place(key: before, number: numberBefore))
        }
        total += 1
        last = total % step == 0 ? .text(key: Array(key), number: number) : nil
    }

    /// Adds a row of a list in the descending order of times or counts.
    mutating func add(value: Int64, number: Int64) {
        if case .value(let before, let numberBefore) = last {
            addCursor(LibraryFinder.Place(before, number: numberBefore))
        }
        total += 1
        last = total % step == 0 ? .value(value, number: number) : nil
    }

    private mutating func addCursor(_ place: LibraryFinder.Place) {
        cursors.append(place.text)
        guard cursors.count > Limits.outlineCursorsMax else { return }
        // Cursors 2, 4, … of the old step are cursors 1, 2, … of the new one. The last one is an odd one.
        cursors = stride(from: 1, to: cursors.count, by: 2).map { cursors[$0] }
        step *= 2
    }

    private mutating func addLetter(of key: UnsafeRawBufferPointer) {
        var found: String?
        if total == 0, !isAtLeast(key, ListLetters.all[0].key) { found = ListLetters.symbols }
        while nextLetter < ListLetters.all.count, isAtLeast(key, ListLetters.all[nextLetter].key) {
            found = ListLetters.all[nextLetter].name
            nextLetter += 1
        }
        if key.elementsEqual(SortNames.last) {
            found = letters.last?.letter == ListLetters.nameless ? nil : ListLetters.nameless
        }
        if let found { letters.append(LibraryLetter(letter: found, index: total)) }
    }

    private func isAtLeast(_ key: UnsafeRawBufferPointer, _ least: [UInt8]) -> Bool {
        guard let base = key.baseAddress else { return false }
        let order = memcmp(base, least, min(key.count, least.count))
        return order != 0 ? order > 0 : key.count >= least.count
    }
}
