/// Combining marks, which pile up on one letter without end if nobody counts.
enum Marks {
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// The first character of `text`, counted from 0, on which more than `rowMax` marks stand in a row.
    ///
    /// Counted in NFD, so that those within é or ế count too. What is invisible neither counts nor ends a row.
    static func firstPlace(in text: String, rowMax: Int) -> Int? {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        // Characters are the same in every normal form.
        for (place, character) in String(units: ICU.nfd(Array(text.utf16))).enumerated() {
            var row = 0
            for scalar in character.unicodeScalars where !Invisible.isInvisible(scalar) {
                row = isMark(scalar) ? row + 1 : 0
                if row > rowMax { return place }
            }
        }
        return nil
    }
}
