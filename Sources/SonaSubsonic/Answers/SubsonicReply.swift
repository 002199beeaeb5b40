internal import SonaWire

/// An answer that is a document. It is sent with the status 200, also if it says that something failed.
package struct SubsonicReply: Sendable {
    package let contentType: String
    package let body: [UInt8]
    /// The number of the error, if it is one.
    package let code: SubsonicError.Code?
}

/// The form in which an answer is wanted: `f`.
package enum SubsonicFormat: Sendable, Equatable {
    case xml, json
    /// A call of this function.
    case jsonp(String)

    /// XML if nothing is said, as the protocol has it.
    init(_ parameters: Parameters) {
        switch parameters.first("f") {
        case "json": self = .json
        case "jsonp": self = .jsonp(Self.callback(parameters.first("callback")) ?? "callback")
        default: self = .xml
        }
    }

    /// A script may be called by nothing but a name: what a stranger wrote must not become a program.
    private static func callback(_ name: String?) -> String? {
        guard let name, 1...128 ~= name.utf8.count, let first = name.utf8.first, !(0x30...0x39).contains(first) else {
            return nil
        }
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "."): true
            default: false
            }
        }
        return isName ? name : nil
    }
}

/// How the server introduces itself in each answer.
package struct SubsonicServer: Sendable {
    /// The version of the protocol.
    static let version = "1.16.1"
    package let name: String
    package let version: String

    package init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    /// - Parameter outcome: The members beside those that each answer has, or what went wrong.
    func reply(_ outcome: Result<Element, SubsonicError>, _ format: SubsonicFormat) -> SubsonicReply {
        var root = Element()
        if format == .xml { root.set("xmlns", "http://subsonic.org/restapi") }
        var code: SubsonicError.Code?
        switch outcome {
        case .success: root.set("status", "ok")
        case .failure(let error):
            root.set("status", "failed")
            code = error.code
        }
        root.set("version", Self.version)
        root.set("type", name)
        root.set("serverVersion", version)
        root.set("openSubsonic", true)
        switch outcome {
        case .success(let element): root.merge(element)
        case .failure(let error):
            var told = Element()
            told.set("code", error.code.rawValue)
            told.set("message", error.message)
            root.set("error", told)
        }
        return SubsonicReply(contentType: format.contentType, body: Self.encode(root, format), code: code)
    }

    private static func encode(_ root: Element, _ format: SubsonicFormat) -> [UInt8] {
        if format == .xml {
            var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
            root.write("subsonic-response", into: &bytes)
            bytes.append(UInt8(ascii: "\n"))
            return bytes
        }
        var writer = JSONWriter(reserving: 4096)
        writer.beginObject()
        writer.key("subsonic-response")
        root.write(into: &writer)
        writer.endObject()
        guard case .jsonp(let callback) = format else { return writer.bytes }
        return Array("\(callback)(".utf8) + writer.bytes + Array(");".utf8)
    }
}

extension SubsonicFormat {
    fileprivate var contentType: String {
        switch self {
        case .xml: "application/xml; charset=utf-8"
        case .json: "application/json"
        case .jsonp: "application/javascript; charset=utf-8"
        }
    }
}

extension Element {
    /// Adds the members of another element.
    fileprivate mutating func merge(_ other: Element) {
        for (name, value) in other.members {
            switch value {
            case .text(let text): set(name, text)
            case .number(let number): set(name, number)
            case .real(let number): set(name, number)
            case .flag(let flag): set(name, flag)
            case .element(let element): set(name, element)
            case .elements(let elements): set(name, elements)
            case .texts(let texts): set(name, texts: texts)
            case .numbers(let numbers): set(name, numbers: numbers)
            }
        }
    }
}
