/// A node of an answer. The same tree is written as XML and as JSON.
///
/// | member | XML | JSON |
/// |---|---|---|
/// | a text, number or flag | an attribute | a member |
/// | `value` | the text of the element | a member |
/// | an element | a child of that name | an object |
/// | a list | a child for each | an array, also if it is empty |
///
/// Members that are absent (`nil`) are left out.
package struct Element: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        case text(String)
        case number(Int64)
        case real(Double)
        case flag(Bool)
        case element(Element)
        case elements([Element])
        case texts([String])
        case numbers([Int64])
    }

    /// In the order in which they are written.
    package private(set) var members: [(name: StaticString, value: Value)] = []

    package init() {}

    package static func == (left: Element, right: Element) -> Bool {
        left.members.count == right.members.count
            && zip(left.members, right.members).allSatisfy {
                $0.name.description == $1.name.description && $0.value == $1.value
            }
    }

    package mutating func set(_ name: StaticString, _ text: String?) { add(name, text.map { .text($0) }) }
    package mutating func set(_ name: StaticString, _ number: Int64?) { add(name, number.map { .number($0) }) }
    package mutating func set(_ name: StaticString, _ number: Int?) { add(name, number.map { .number(Int64($0)) }) }
    package mutating func set(_ name: StaticString, _ number: Double?) { add(name, number.map { .real($0) }) }
    package mutating func set(_ name: StaticString, _ flag: Bool?) { add(name, flag.map { .flag($0) }) }
    package mutating func set(_ name: StaticString, _ element: Element?) { add(name, element.map { .element($0) }) }
    package mutating func set(_ name: StaticString, _ elements: [Element]) { add(name, .elements(elements)) }
    package mutating func set(_ name: StaticString, texts: [String]) { add(name, .texts(texts)) }
    package mutating func set(_ name: StaticString, numbers: [Int64]) { add(name, .numbers(numbers)) }

    private mutating func add(_ name: StaticString, _ value: Value?) {
        if let value { members.append((name, value)) }
    }
}

extension Element {
    /// An element with one member.
    package init(_ name: StaticString, _ element: Element) {
        set(name, element)
    }

    package init(_ name: StaticString, _ elements: [Element]) {
        set(name, elements)
    }
}
