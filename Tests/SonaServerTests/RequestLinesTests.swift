import SonaWire
import Testing

@testable import SonaServer

struct RequestLinesTests {
    private var lines = RequestLines()

    private func asked(_ id: Int, _ type: String = "user.me", byteCount: Int = 100) throws -> AskedRequest {
        let text = Array(#"{"type":"\#(type)","id":\#(id)}"#.utf8)
        let request = try text.withUnsafeBytes { try Request.parse($0).get() }
        let method = try #require(DurableMethods.method(type))
        return AskedRequest(
            request: request, byteCount: byteCount, method: method, link: 1, caller: Caller(session: 1))
    }

    @Test mutating func `one is under way, and the others follow in their order`() throws {
        var isFirst: [Bool] = []
        for id in 1...3 { isFirst.append(try lines.add(asked(id), of: 1)) }
        #expect(isFirst == [true, false, false])
        var order: [Int64] = []
        while let next = lines.next(of: 1) { order.append(next.request.id) }
        #expect(order == [2, 3])
        let isBegun = try lines.add(asked(4), of: 1)
        #expect(isBegun, "the line is over")
    }

    @Test mutating func `sessions do not wait for one another`() throws {
        var isFirst: [Bool] = []
        for session in [1, 2, 1] { isFirst.append(try lines.add(asked(1), of: UInt64(session))) }
        #expect(isFirst == [true, true, false])
    }

    @Test mutating func `so many wait and no more`() throws {
        for id in 0...Limits.requestsWaitingMax { _ = try lines.add(asked(id), of: 1) }
        var refusal: ErrorCode?
        do { _ = try lines.add(asked(999), of: 1) } catch let error as WireError { refusal = error.code }
        #expect(refusal == .serverBusy)
        _ = lines.next(of: 1)
        let isFirst = try lines.add(asked(1_000), of: 1)
        #expect(!isFirst)
    }

    @Test mutating func `what is dropped is not begun, and what is under way comes to its end`() throws {
        for id in 1...3 { _ = try lines.add(asked(id), of: 1) }
        lines.drop(of: 1)
        let isFirst = try lines.add(asked(4), of: 1)
        #expect(!isFirst, "the first is under way still")
        let next = lines.next(of: 1)
        let last = lines.next(of: 1)
        #expect(next?.request.id == 4 && last == nil)
    }

    @Test mutating func `so many bytes wait and no more, and those that are done count no more`() throws {
        let quarter = Limits.requestsWaitingBytesMax / 4
        for id in 0...4 { _ = try lines.add(asked(id, byteCount: quarter), of: 1) }
        var refusal: ErrorCode?
        do { _ = try lines.add(asked(5, byteCount: 1), of: 1) } catch let error as WireError { refusal = error.code }
        #expect(refusal == .serverBusy)
        _ = lines.next(of: 1)
        let isFirst = try lines.add(asked(6, byteCount: quarter), of: 1)
        #expect(!isFirst)
        lines.dropAll()
        for id in 7...10 { _ = try lines.add(asked(id, byteCount: quarter), of: 1) }
    }

    @Test mutating func `who is about to end their own tokens is known`() throws {
        _ = try lines.add(asked(1), of: 1)
        #expect(!lines.endsOwnTokens(of: 1))
        _ = try lines.add(asked(2, "auth.sign_out"), of: 1)
        #expect(lines.endsOwnTokens(of: 1) && !lines.endsOwnTokens(of: 2))
    }
}
