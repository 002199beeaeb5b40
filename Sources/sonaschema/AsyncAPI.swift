import SonaWire

/// `Protocol/asyncapi.yaml`: every message, seen from the server.
///
/// Source: AsyncAPI 3.0.0.
struct AsyncAPI {
    let text: String

    /// - Parameter frames: The table of binary messages, `Protocol/schema/frames.json`.
    init(_ pages: SpecPages, frames: JSON) throws {
        let frames = frames["frames"]?.array ?? []
        var messages: [JSON.Member] = []
        var operations: [JSON.Member] = []
        for area in Catalogue.areas {
            for request in area.requests {
                let page = try pages.reference(to: request.type, in: area)
                let name = Self.name(request.type)
                messages.append(Self.message("\(name)Request", "\(request.type).request", page, area.name))
                messages.append(Self.message("\(name)Reply", "\(request.type).reply", page, area.name))
                operations.append(Self.operation(of: request, page: page))
            }
        }
        messages.append(Self.message("ErrorReply", "error.reply", "See spec/errors.md.", "errors"))
        for area in Catalogue.areas {
            for event in area.events {
                let page = try pages.reference(to: event.type, in: area)
                let name = "\(Self.name(event.type))Event"
                messages.append(Self.message(name, "\(event.type).event", page, area.name))
                operations.append(
                    JSON.Member(
                        key: "send\(Self.name(event.type))",
                        value: Self.operation("send", "\(event.type), \(event.scope.sentence)", page, [name])))
            }
        }
        for frame in frames {
            messages.append(Self.message(of: frame))
            operations += Self.operations(of: frame)
        }
        let document: JSON = [
            "asyncapi": "3.0.0",
            "info": [
                "title": "sona.v1", "version": "1.0.0",
                "description":
                    "The protocol between a Sona server and its clients, seen from the server. The prose in spec/ is normative.",
            ],
            "defaultContentType": "application/json",
            "servers": [
                "local": [
                    "host": "127.0.0.1:8337", "protocol": "ws", "description": "A server started without options.",
                ]
            ],
            "channels": ["live": Self.channel(messages.map(\.key))],
            "operations": .object(operations), "components": ["messages": .object(messages)],
        ]
        text = "# \(SchemaFiles.origin.string ?? "")" + document.yaml() + "\n"
    }

    // MARK: Messages

    /// `room.set_standing` becomes `RoomSetStanding`.
    private static func name(_ type: String) -> String {
        type.split { $0 == "." || $0 == "_" }.map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined()
    }

    private static func message(_ name: String, _ definition: String, _ page: String, _ file: String) -> JSON.Member {
        JSON.Member(
            key: name,
            value: [
                "name": .string(name), "title": .string(definition), "summary": .string(page),
                "contentType": "application/json",
                "payload": [
                    "schemaFormat": "application/schema+json;version=draft/2020-12",
                    "schema": ["$ref": .string("./schema/\(file).json#/$defs/\(definition)")],
                ],
            ])
    }

    private static func message(of frame: JSON) -> JSON.Member {
        let title = frame["name"]?.string ?? ""
        let type = String(frame["type"]?.integer ?? 0, radix: 16)
        let size =
            frame["bytes"]?.integer.map { "Always \($0) bytes." }
            ?? "\(frame["header_bytes"]?.integer ?? 0) bytes of header, then packets."
        return JSON.Member(
            key: "\(name(title))Frame",
            value: [
                "name": .string("\(name(title))Frame"), "title": .string(title),
                "summary": .string("Binary, type 0x\(type.count < 2 ? "0" : "")\(type). \(size)"),
                "description": .string(
                    "Layout in schema/frames.json; meaning in \(frame["page"]?.string ?? "")."),
                "contentType": "application/octet-stream", "payload": ["type": "string", "format": "binary"],
            ])
    }

    // MARK: Operations

    private static let live: JSON = ["$ref": "#/channels/live"]

    private static func references(_ messages: [String]) -> JSON {
        .array(messages.map { ["$ref": .string("#/channels/live/messages/\($0)")] })
    }

    private static func operation(
        _ action: String, _ summary: String, _ description: String, _ messages: [String]
    ) -> JSON {
        [
            "action": .string(action), "channel": live, "summary": .string(summary),
            "description": .string(description), "messages": references(messages),
        ]
    }

    private static func operation(of request: any WireRequest.Type, page: String) -> JSON.Member {
        let name = name(request.type)
        let description = page + (request.needsConnection ? "" : " Also POST \(Limits.rpcPathPrefix)\(request.type).")
        let asked = operation("receive", request.type, description, ["\(name)Request"])
        let reply: JSON = ["channel": live, "messages": references(["\(name)Reply", "ErrorReply"])]
        return JSON.Member(
            key: name.prefix(1).lowercased() + name.dropFirst(),
            value: .object((asked.object ?? []) + [JSON.Member(key: "reply", value: reply)]))
    }

    private static func operations(of frame: JSON) -> [JSON.Member] {
        let title = frame["name"]?.string ?? ""
        let actions =
            switch frame["direction"]?.string {
            case "client-to-server": ["receive"]
            case "server-to-client": ["send"]
            default: ["receive", "send"]
            }
        return actions.map { action in
            JSON.Member(
                key: action + name(title),
                value: operation(action, title, "See \(frame["page"]?.string ?? "").", ["\(name(title))Frame"]))
        }
    }

    private static func channel(_ messages: [String]) -> JSON {
        [
            "address": .string(Limits.webSocketPath), "title": "The connection",
            "description":
                .string(
                    "One WebSocket with the subprotocol \(Limits.subprotocol). Text messages are JSON, binary messages are frames."
                ),
            "messages": .object(
                messages.map { JSON.Member(key: $0, value: ["$ref": .string("#/components/messages/\($0)")]) }),
            "bindings": [
                "ws": [
                    "method": "GET", "bindingVersion": "0.1.0",
                    "headers": [
                        "type": "object",
                        "properties": [
                            "Sec-WebSocket-Protocol": ["type": "string", "const": .string(Limits.subprotocol)]
                        ], "required": ["Sec-WebSocket-Protocol"],
                    ],
                ]
            ],
        ]
    }
}

extension EventScope {
    fileprivate var sentence: String {
        switch self {
        case .room: "to all in a room"
        case .roomLive: "to all in a room, not repeated to those who miss it"
        case .personal: "to one session"
        }
    }
}
