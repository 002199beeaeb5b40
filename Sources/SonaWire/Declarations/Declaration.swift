/// An object that is declared once: a table of its members gives decoder, encoder and schema.
///
/// ```swift
/// public struct Link: DeclaredObject, Hashable {
///     public var title: String?
///     public var url: String
///
///     public static let declaration = Declaration(
///         Member(optional: "title", \Self.title, .line(bytes: Limits.linkTitleBytes)),
///         Member("url", \Self.url, .linkURL),
///         make: Self.init)
/// }
/// ```
///
/// The initializer that takes the members checks no ranges. They are checked when an object is decoded.
///
/// Reading costs as much as by hand. Writing costs about 0.07 µs a member more, because of the key paths. Objects that
/// are written for many listeners, or on every join, have an `encode(into:)` by hand; a test compares it to the table.
public protocol DeclaredObject: WireObject {
    /// The members in the order in which they are written: key, property, form, and whether each must be there.
    static var declaration: Declaration<Self> { get }
}

extension DeclaredObject {
    public init(_ json: JSON) throws(WireError) {
        self = try Self.declaration.read(try Fields(json, prefix: Self.fieldPrefix))
    }

    public func encode(into writer: inout JSONWriter) { Self.declaration.encode(self, into: &writer) }

    public static var schema: Schema { declaration.schema }
}

/// A request that is declared once.
public typealias DeclaredRequest = WireRequest & DeclaredObject
/// An event that is declared once.
public typealias DeclaredEvent = WireEvent & DeclaredObject

/// The members of an object, in the order in which they are written.
public struct Declaration<Root: Sendable>: Sendable {
    let read: @Sendable (Fields) throws(WireError) -> Root
    /// Writes keys and values without the braces.
    let write: @Sendable (Root, inout JSONWriter) -> Void
    let properties: [Schema.Property]
    let schema: Schema

    /// - Parameter make: Makes the object of its members' values, in their order.
    init<each Value: Sendable>(
        _ member: repeat Member<Root, each Value>, make: @escaping @Sendable (repeat each Value) -> Root
    ) {
        var properties: [Schema.Property] = []
        var keywords: [Schema] = []
        for member in repeat each member {
            properties += member.properties
            keywords += member.keywords
        }
        self.properties = properties
        schema = keywords.reduce(Schema.object(properties)) { $0.adding($1) }
        read = { fields throws(WireError) in make(repeat try (each member).read(fields)) }
        write = { root, writer in repeat (each member).write(root, &writer) }
    }

    private init(
        read: @escaping @Sendable (Fields) throws(WireError) -> Root,
        write: @escaping @Sendable (Root, inout JSONWriter) -> Void, properties: [Schema.Property], schema: Schema
    ) {
        self.read = read
        self.write = write
        self.properties = properties
        self.schema = schema
    }

    /// Writes the whole object, braces included.
    func encode(_ root: Root, into writer: inout JSONWriter) {
        writer.beginObject()
        write(root, &writer)
        writer.endObject()
    }

    /// The same members under a rule that no member can tell alone.
    /// - Parameters:
    ///   - schema: The rule as keywords, as far as JSON Schema can say it.
    ///   - check: Throws if the rule is broken, naming the field at fault.
    func checked(
        _ schema: Schema = Schema([:]), _ check: @escaping @Sendable (Root, Fields) throws(WireError) -> Void
    ) -> Declaration {
        let read = read
        return Declaration(
            read: { fields throws(WireError) in
                let root = try read(fields)
                try check(root, fields)
                return root
            }, write: write, properties: properties, schema: self.schema.adding(schema))
    }
}

/// One member of an object: its key, where its value lies, its form, and what its absence means.
///
/// `null` counts as absent everywhere when it is read.
struct Member<Root: Sendable, Value: Sendable>: Sendable {
    let read: @Sendable (Fields) throws(WireError) -> Value
    let write: @Sendable (Root, inout JSONWriter) -> Void
    let properties: [Schema.Property]
    /// Keywords added to the schema of the object.
    let keywords: [Schema]

    private init(
        read: @escaping @Sendable (Fields) throws(WireError) -> Value,
        write: @escaping @Sendable (Root, inout JSONWriter) -> Void, properties: [Schema.Property],
        keywords: [Schema] = []
    ) {
        self.read = read
        self.write = write
        self.properties = properties
        self.keywords = keywords
    }

    /// How the value is read out of an object: at its offset where it is stored, which costs a tenth of the key path.
    private static func getter<Part>(
        _ path: any KeyPath<Root, Part> & Sendable
    ) -> @Sendable (Root) -> Part {
        guard let offset = MemoryLayout<Root>.offset(of: path) else { return { $0[keyPath: path] } }
        return { root in
            // A stored property lies at its offset, initialized and bound, while the object lives.
            withUnsafeBytes(of: root) { $0.load(fromByteOffset: offset, as: Part.self) }
        }
    }

    /// A member that must be there.
    init(_ key: StaticString, _ path: any KeyPath<Root, Value> & Sendable, _ form: Form<Value>) {
        let name = key.description
        let get = Self.getter(path)
        self.init(
            read: { fields throws(WireError) in
                try fields.required(name, form)
            },
            write: { root, writer in
                writer.key(key)
                form.write(get(root), &writer)
            }, properties: [.init(name, form.schema, isRequired: true)])
    }

    /// A member that stands for `value` when it is absent. It is always written.
    init(_ key: StaticString, _ path: any KeyPath<Root, Value> & Sendable, _ form: Form<Value>, default value: Value) {
        let name = key.description
        let get = Self.getter(path)
        self.init(
            read: { fields throws(WireError) in try form.read(fields, name) ?? value },
            write: { root, writer in
                writer.key(key)
                form.write(get(root), &writer)
            }, properties: [.init(name, form.schema.orNull, isRequired: false)])
    }

    /// A member that is always written, but that servers of an earlier revision leave out.
    init<Wrapped>(newer key: StaticString, _ path: any KeyPath<Root, Wrapped> & Sendable, _ form: Form<Wrapped>)
    where Value == Wrapped? {
        let name = key.description
        let get = Self.getter(path)
        self.init(
            read: { fields throws(WireError) in try form.read(fields, name) },
            write: { root, writer in
                writer.key(key)
                form.write(get(root), &writer)
            }, properties: [.init(name, form.schema.orNull, isRequired: false)])
    }

    /// A member that is left out where there is no value.
    init<Wrapped>(optional key: StaticString, _ path: any KeyPath<Root, Value> & Sendable, _ form: Form<Wrapped>)
    where Value == Wrapped? {
        let name = key.description
        let get = Self.getter(path)
        self.init(
            read: { fields throws(WireError) in try form.read(fields, name) },
            write: { root, writer in
                guard let value = get(root) else { return }
                writer.key(key)
                form.write(value, &writer)
            }, properties: [.init(name, form.schema.orNull, isRequired: false)])
    }

    /// A member that is written as `null` where there is no value.
    /// - Parameter isRequired: Whether receivers can rely on the key. `false` for what a later revision added.
    init<Wrapped>(
        nullable key: StaticString, _ path: any KeyPath<Root, Value> & Sendable, _ form: Form<Wrapped>,
        isRequired: Bool = true
    ) where Value == Wrapped? {
        let name = key.description
        let get = Self.getter(path)
        self.init(
            read: { fields throws(WireError) in try form.read(fields, name) },
            write: { root, writer in
                writer.key(key)
                if let value = get(root) { form.write(value, &writer) } else { writer.null() }
            }, properties: [.init(name, form.schema.orNull, isRequired: isRequired)])
    }

    /// A value that several keys of the object tell together.
    init(_ path: any KeyPath<Root, Value> & Sendable, spread: Spread<Value>) {
        let get = Self.getter(path)
        self.init(
            read: spread.read, write: { root, writer in spread.write(get(root), &writer) },
            properties: spread.properties, keywords: spread.keywords)
    }
}

/// The form of a value that takes several keys of the object it is in.
struct Spread<Value: Sendable>: Sendable {
    let read: @Sendable (Fields) throws(WireError) -> Value
    /// Writes keys and values.
    let write: @Sendable (Value, inout JSONWriter) -> Void
    let properties: [Schema.Property]
    /// Rules between members, as far as JSON Schema can express them.
    var keywords: [Schema] = []
}

extension Spread where Value: DeclaredObject {
    /// All members of an object, written among those of the enclosing object.
    static var members: Spread {
        let declaration = Value.declaration
        return Spread(read: declaration.read, write: declaration.write, properties: declaration.properties)
    }
}
