internal import SonaWire

extension Element {
    /// Writes the members as a JSON object.
    func write(into writer: inout JSONWriter) {
        writer.beginObject()
        for (name, value) in members {
            writer.key(name)
            Self.write(value, into: &writer)
        }
        writer.endObject()
    }

    private static func write(_ value: Value, into writer: inout JSONWriter) {
        switch value {
        case .text(let text): writer.string(text)
        case .number(let number): writer.integer(number)
        case .real(let number): writer.number(number)
        case .flag(let flag): writer.bool(flag)
        case .element(let element): element.write(into: &writer)
        case .elements(let elements):
            writer.beginArray()
            for element in elements { element.write(into: &writer) }
            writer.endArray()
        case .texts(let texts):
            writer.beginArray()
            for text in texts { writer.string(text) }
            writer.endArray()
        case .numbers(let numbers):
            writer.beginArray()
            for number in numbers { writer.integer(number) }
            writer.endArray()
        }
    }
}
