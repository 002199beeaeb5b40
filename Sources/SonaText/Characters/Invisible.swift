/// Characters that show nothing, or change how others are shown.
enum Invisible {
    /// Default_Ignorable_Code_Point: spaces without width, joiners, selectors, tags, fillers, controls of direction.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x7F && scalar.properties.isDefaultIgnorableCodePoint
    }

    /// The first character of `text` that holds one, counted from 0.
    static func firstPlace(in text: String) -> Int? {
        for (place, character) in text.enumerated() where character.unicodeScalars.contains(where: isInvisible) {
            return place
        }
        return nil
    }

    /// Whether a reader sees anything of it.
    static func shows(_ scalar: Unicode.Scalar) -> Bool {
        // The Braille pattern without dots is a symbol by its properties, and blank.
        !scalar.properties.isWhitespace && !isInvisible(scalar) && scalar != "\u{2800}"
    }
}
