/// The form of one kind of value in messages: how it is read with its bounds, how it is written, and its schema.
///
/// A form says nothing of the key it stands under, nor of whether it must be there: that is the `Member`.
public struct Form<Value: Sendable>: Sendable {
    /// The value under a key; `nil` if absent or `null`.
    let read: @Sendable (Fields, String) throws(WireError) -> Value?
    /// Writes the value, its key being written.
    let write: @Sendable (Value, inout JSONWriter) -> Void
    let schema: Schema

    /// - Parameters:
    ///   - schema: What `read` accepts and `write` writes.
    ///   - read: Must name the field at fault in what it throws.
    init(
        _ schema: Schema, read: @escaping @Sendable (Fields, String) throws(WireError) -> Value?,
        write: @escaping @Sendable (Value, inout JSONWriter) -> Void
    ) {
        self.read = read
        self.write = write
        self.schema = schema
    }

    /// The same form, its schema being a definition of this name.
    func named(_ name: String, _ description: String? = nil) -> Form {
        let described = description.map { schema.described($0) } ?? schema
        return Form(described.named(name), read: read, write: write)
    }

    /// The same form with a sentence for people in its schema.
    func described(_ description: String) -> Form {
        Form(schema.described(description), read: read, write: write)
    }
}

// MARK: - Numbers

extension Form where Value: FixedWidthInteger {
    /// An integer within bounds, which must fit the type.
    static func integer(_ range: ClosedRange<Int64>) -> Form {
        Form(
            .integer(range),
            read: { fields, key throws(WireError) in
                try fields.integerIfPresent(key, in: range).map { Value($0) }
            }, write: { $1.integer($0) })
    }

    /// Any number of things: 0 to 2^53 − 1.
    static var count: Form { integer(0...Limits.integerMax) }

    /// Any value of the type.
    static var anyOfType: Form { integer(Int64(clamping: Value.min)...Int64(clamping: Value.max)) }

    /// Milliseconds since 1970, UTC.
    static var wallTime: Form { count.described("Milliseconds since 1970, UTC.") }

    /// A moment on the server's clock, µs.
    static var serverTime: Form {
        integer(-Limits.integerMax...Limits.integerMax).named("server_time", "Server time, microseconds.")
    }

    /// A place in a track, µs.
    static var position: Form { count.named("position", "Microseconds from the beginning of the track.") }
}

extension Form where Value == Bool {
    static var flag: Form {
        Form(
            .bool, read: { fields, key throws(WireError) in try fields.boolIfPresent(key) }, write: { $1.bool($0) })
    }
}

// MARK: - Texts

extension Form where Value == String {
    /// Any text within a number of UTF-8 bytes.
    static func text(bytes: ClosedRange<Int>) -> Form {
        Form(
            .string(bytes: bytes),
            read: { fields, key throws(WireError) in try fields.stringIfPresent(key, bytes: bytes) },
            write: { $1.string($0) })
    }

    /// A text that is shown on one line: no control characters, no line or paragraph separators.
    static func line(bytes: ClosedRange<Int>) -> Form {
        Form(
            .line(bytes: bytes), read: { fields, key throws(WireError) in try fields.lineIfPresent(key, bytes: bytes) },
            write: { $1.string($0) })
    }
}

extension Form {
    /// A text that `make` turns into something better, or refuses.
    /// - Parameters:
    ///   - expected: What follows "must be" in the refusal.
    ///   - code: The refusal's code.
    static func parsed(
        _ schema: Schema, _ expected: String, code: ErrorCode = .requestInvalid,
        _ make: @escaping @Sendable (String) -> Value?, text: @escaping @Sendable (Value) -> String
    ) -> Form {
        Form(
            schema,
            read: { fields, key throws(WireError) in try fields.parsedIfPresent(key, expected, code: code, make) },
            write: { $1.string(text($0)) })
    }
}

extension Form where Value: RawRepresentable<String> & CaseIterable {
    /// One word of a closed list.
    static var word: Form {
        Form(
            .words(Value.allCases.map(\.rawValue)),
            read: { fields, key throws(WireError) in try fields.wordIfPresent(key, as: Value.self) },
            write: { $1.string($0.rawValue) })
    }
}

// MARK: - Objects and arrays

extension Form where Value: WireObject {
    /// An object of ours; its schema is a definition.
    static var object: Form {
        Form(
            Value.schema.named(Value.schemaName),
            read: { fields, key throws(WireError) in try fields.objectIfPresent(key, as: Value.self) },
            write: { $0.encode(into: &$1) })
    }
}

extension Form where Value == JSON {
    /// An object whose fields are nobody's business here.
    static var anyObject: Form {
        Form(
            .anyObject, read: { fields, key throws(WireError) in try fields.anyObjectIfPresent(key) },
            write: { $0.encode(into: &$1) })
    }
}

extension Form {
    /// An array of objects.
    static func objects<Object: WireObject>(count: ClosedRange<Int> = 0...Int.max) -> Form where Value == [Object] {
        Form(
            Object.schema.named(Object.schemaName).array(count: count),
            read: { fields, key throws(WireError) in try fields.arrayIfPresent(key, of: Object.self, count: count) },
            write: { objects, writer in writer.array(objects) { $0.encode(into: &$1) } })
    }

    /// An array of integers.
    static func integers(
        _ range: ClosedRange<Int64>, count: ClosedRange<Int> = 0...Int.max
    ) -> Form where Value == [Int64] {
        Form(
            Schema.integer(range).array(count: count),
            read: { fields, key throws(WireError) in
                try fields.integersIfPresent(key, in: range, count: count)
            },
            write: { integers, writer in writer.array(integers) { $1.integer($0) } })
    }

    /// An array of texts.
    static func texts(bytes: ClosedRange<Int>) -> Form where Value == [String] {
        Form(
            Schema.string(bytes: bytes).array(count: 0...Int.max),
            read: { fields, key throws(WireError) in try fields.stringsIfPresent(key, bytes: bytes) },
            write: { texts, writer in writer.array(texts) { $1.string($0) } })
    }

    /// An array of texts of one line.
    static func lines(bytes: ClosedRange<Int>, count: ClosedRange<Int>) -> Form where Value == [String] {
        Form(
            Schema.line(bytes: bytes).array(count: count),
            read: { fields, key throws(WireError) in try fields.linesIfPresent(key, bytes: bytes, count: count) },
            write: { lines, writer in writer.array(lines) { $1.string($0) } })
    }
}

extension JSONWriter {
    mutating func array<Element>(_ elements: [Element], _ write: (Element, inout JSONWriter) -> Void) {
        beginArray()
        for element in elements { write(element, &self) }
        endArray()
    }
}
