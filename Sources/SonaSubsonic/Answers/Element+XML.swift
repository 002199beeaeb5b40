extension Element {
    /// Writes the element with a name.
    ///
    /// Source: https://www.w3.org/TR/xml/ (XML 1.0).
    func write(_ name: StaticString, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "<"))
        bytes.append(contentsOf: name.description.utf8)
        var (content, hasChildren): (Value?, Bool) = (nil, false)
        for (name, value) in members {
            switch value {
            case .text, .number, .real, .flag:
                if name.description == "value" { content = value } else { Self.attribute(name, value, into: &bytes) }
            case .element: hasChildren = true
            case .elements(let elements): hasChildren = hasChildren || !elements.isEmpty
            case .texts(let texts): hasChildren = hasChildren || !texts.isEmpty
            case .numbers(let numbers): hasChildren = hasChildren || !numbers.isEmpty
            }
        }
        guard content != nil || hasChildren else { return bytes.append(contentsOf: "/>".utf8) }
        bytes.append(UInt8(ascii: ">"))
        if let content { Self.escape(Self.text(content), into: &bytes) }
        for (name, value) in members { Self.children(name, value, into: &bytes) }
        Self.close(name, into: &bytes)
    }

    private static func attribute(_ name: StaticString, _ value: Value, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: name.description.utf8)
        bytes.append(contentsOf: "=\"".utf8)
        escape(text(value), into: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    private static func children(_ name: StaticString, _ value: Value, into bytes: inout [UInt8]) {
        switch value {
        case .text, .number, .real, .flag: break
        case .element(let element): element.write(name, into: &bytes)
        case .elements(let elements): for element in elements { element.write(name, into: &bytes) }
        case .texts(let texts): for text in texts { leaf(name, text, into: &bytes) }
        case .numbers(let numbers): for number in numbers { leaf(name, String(number), into: &bytes) }
        }
    }

    private static func leaf(_ name: StaticString, _ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "<"))
        bytes.append(contentsOf: name.description.utf8)
        bytes.append(UInt8(ascii: ">"))
        escape(text, into: &bytes)
        close(name, into: &bytes)
    }

    private static func close(_ name: StaticString, into bytes: inout [UInt8]) {
        bytes.append(contentsOf: "</".utf8)
        bytes.append(contentsOf: name.description.utf8)
        bytes.append(UInt8(ascii: ">"))
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): String(number)
        case .real(let number): "\(number)"
        case .flag(let flag): flag ? "true" : "false"
        case .element, .elements, .texts, .numbers: ""
        }
    }

    /// Characters that XML 1.0 can't have at all are left out. White space is written so that an attribute keeps it.
    private static func escape(_ text: String, into bytes: inout [UInt8]) {
        var text = text
        text.unicodeScalars.removeAll { $0.value == 0xFFFE || $0.value == 0xFFFF }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            case 0x09, 0x0A, 0x0D: bytes.append(contentsOf: "&#\(byte);".utf8)
            case 0..<0x20: break
            default: bytes.append(byte)
            }
        }
    }
}
