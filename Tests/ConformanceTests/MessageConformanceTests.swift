import SonaWire
import Testing

/// Runs the text messages of Protocol/vectors through the module, decoding and encoding.
@Suite struct MessageConformanceTests {
    @Test func `every text of the JSON vectors is read as written or refused with its code`() throws {
        for vector in try VectorFile.vectors("json") {
            let parsed = Result { () throws(JSONError) in try JSON.parse(vector.input) }
            switch (vector.result, parsed) {
            case (.valid, .success(let json)):
                #expect(json == vector.value, "\(vector)")
                #expect(try JSON.parse(json.encoded()) == json, "\(vector): written and read again")
            case (.invalid, .failure(let error)):
                let code: ErrorCode = error.kind == .tooDeep ? .requestTooDeep : .requestMalformed
                #expect(code.text == vector.code, "\(vector)")
                #expect(0...vector.input.count ~= error.offset, "\(vector)")
                #expect(fault(vector.input)?.error.code == code, "\(vector): as a request")
            default:
                Issue.record("\(vector): \(parsed)")
            }
        }
    }

    @Test func `every envelope is decoded or refused with its id`() throws {
        for vector in try VectorFile.vectors("envelope") {
            switch (vector.result, Request.parse(vector.input)) {
            case (.valid, .success(let request)): #expect(json(request).sorted == vector.value.sorted, "\(vector)")
            case (.invalid, .failure(let fault)): expect(fault.error, fault.id, vector)
            case (_, let outcome): Issue.record("\(vector): \(outcome)")
            }
        }
    }

    @Test func `every request decodes to its value, encodes to it, or is refused with code and field`() throws {
        let types = Dictionary(uniqueKeysWithValues: Catalogue.requests.map { ($0.type, $0) })
        var seen: Set<String> = []
        for vector in try VectorFile.all(where: { $0.message.hasPrefix("requests/") }) {
            let name = try #require(vector.name(after: "requests/"))
            let type = try #require(types[name], "\(vector)")
            seen.insert(name)
            check(type, vector)
        }
        #expect(seen == Set(types.keys))
    }

    private func check<Message: WireRequest>(_ type: Message.Type, _ vector: Vector) {
        switch Request.parse(vector.input) {
        case .failure(let fault): expect(fault.error, fault.id, vector)
        case .success(let request):
            #expect(request.type == Message.type, "\(vector)")
            do throws(WireError) {
                let message = try Message(request.data)
                #expect(vector.result != .invalid, "\(vector) was accepted")
                guard vector.result != .invalid else { return }
                let encoded = Request.encode(id: request.id, message)
                #expect(fixed(encoded) == vector.value.sorted, "\(vector): \(String(decoding: encoded, as: UTF8.self))")
                let again = try Message(vector.value["data"] ?? .null)
                #expect(again == message, "\(vector): the value decoded")
            } catch {
                expect(error, request.id, vector)
            }
        }
    }

    @Test func `every reply decodes and encodes to its value or is refused`() throws {
        let types = Dictionary(uniqueKeysWithValues: Catalogue.requests.map { ($0.type, $0) })
        var seen: Set<String> = []
        for vector in try VectorFile.all(where: { $0.message.hasPrefix("replies/") }) {
            let name = try #require(vector.name(after: "replies/"))
            guard name != "error" else { continue }
            seen.insert(name)
            let type = try #require(types[name], "\(vector)")
            checkReply(type, vector)
        }
        #expect(seen == Set(types.keys))
    }

    private func checkReply<Message: WireRequest>(_ type: Message.Type, _ vector: Vector) {
        do throws(WireError) {
            guard case .ok(let id, let data) = try ServerMessage(parsing: vector.input) else {
                Issue.record("\(vector) is not a reply")
                return
            }
            let response = try Message.Response(data)
            #expect(vector.result != .invalid, "\(vector) was accepted")
            guard vector.result != .invalid else { return }
            #expect(fixed(Reply.ok(id: id, response)) == vector.value.sorted, "\(vector)")
        } catch {
            #expect(vector.result == .invalid, "\(vector): \(error)")
        }
    }

    @Test func `every error reply keeps its code, status and advice`() throws {
        var seen: Set<String> = []
        for vector in try VectorFile.vectors("errors") {
            do throws(WireError) {
                guard case .error(let id, let error) = try ServerMessage(parsing: vector.input) else {
                    Issue.record("\(vector) is not an error")
                    continue
                }
                #expect(vector.result == .valid, "\(vector) was accepted")
                seen.insert(error.code.text)
                #expect(error.code.httpStatus == vector.value["http_status"]?.integer.map { Int($0) }, "\(vector)")
                #expect(error.code.isRetryable == vector.value["retry"]?.bool, "\(vector)")
                let encoded = fixed(Reply.error(id: id, error))
                for key in ["type", "id", "error"] { #expect(encoded?[key] == vector.value.sorted[key], "\(vector)") }
                if vector.comment == error.code.text { #expect(error.message == error.code.meaning, "\(vector)") }
            } catch {
                #expect(vector.result == .invalid, "\(vector): \(error)")
            }
        }
        #expect(seen.isSuperset(of: ErrorCode.known.map(\.text)))
    }

    @Test func `every event decodes and encodes to its value or is refused`() throws {
        let types = Dictionary(uniqueKeysWithValues: Catalogue.events.map { ($0.type, $0) })
        var seen: Set<String> = []
        for vector in try VectorFile.all(where: { $0.message.hasPrefix("events/") }) {
            let name = try #require(vector.name(after: "events/"))
            seen.insert(name)
            let type = try #require(types[name], "\(vector)")
            checkEvent(type, vector)
        }
        #expect(seen == Set(types.keys))
    }

    private func checkEvent<Message: WireEvent>(_ type: Message.Type, _ vector: Vector) {
        do throws(WireError) {
            guard case .event(let name, let room, let seq, let data) = try ServerMessage(parsing: vector.input)
            else {
                Issue.record("\(vector) is not an event")
                return
            }
            #expect(name == Message.type, "\(vector)")
            let message = try Message(data)
            #expect(vector.result != .invalid, "\(vector) was accepted")
            guard vector.result != .invalid else { return }
            #expect(fixed(Event.encode(message, room: room, seq: seq)) == vector.value.sorted, "\(vector)")
        } catch {
            #expect(vector.result == .invalid, "\(vector): \(error)")
        }
    }

    // MARK: Helpers

    private func fault(_ bytes: [UInt8]) -> RequestFault? {
        if case .failure(let fault) = Request.parse(bytes) { fault } else { nil }
    }

    private func json(_ request: Request) -> JSON {
        .object([
            .init(key: "type", value: .string(request.type)), .init(key: "id", value: .integer(request.id)),
            .init(key: "data", value: request.data),
        ])
    }

    /// The encoded bytes parsed and sorted by key. `nil` if they are not JSON.
    private func fixed(_ bytes: [UInt8]) -> JSON? { (try? JSON.parse(bytes))?.sorted }

    private func expect(_ error: WireError, _ id: Int64?, _ vector: Vector) {
        #expect(vector.result == .invalid, "\(vector): \(error)")
        #expect(error.code.text == vector.code, "\(vector): \(error)")
        #expect(id == vector.value["id"]?.integer, "\(vector): the reply's id")
        if vector.family != "envelope" || vector.value["field"] != .null {
            #expect(error.field == vector.value["field"]?.string, "\(vector): the field")
        }
    }
}
