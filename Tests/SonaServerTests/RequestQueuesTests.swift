import SonaWire
import Testing

@testable import SonaServer

struct RequestQueuesTests {
    private var queues = RequestQueues()

    /// Adds a request in a message of so many bytes.
    private mutating func add(
        _ id: Int, _ type: String = "user.me", byteCount: Int = 100, of session: UInt64 = 1
    ) throws -> Bool {
        var text = Array(#"{"type":"\#(type)","id":\#(id),"data":{"number":\#(id)}}"#.utf8)
        text += Array(repeating: UInt8(ascii: " "), count: max(0, byteCount - text.count))
        let method = try #require(Methods.table[type])
        let asked = AskedRequest(
            try Request.parse(text).get(), method: method, link: 1, caller: Caller(session: session))
        return try text.withUnsafeBytes { try queues.add(asked, text: $0, of: session) }
    }

    @Test mutating func `one request is under way, and the others follow in their order`() throws {
        var isFirst: [Bool] = []
        for id in 1...3 { isFirst.append(try add(id)) }
        #expect(isFirst == [true, false, false])
        var order: [Int64] = []
        while let next = queues.next(of: 1) { order.append(next.id) }
        #expect(order == [2, 3])
        let isBegun = try add(4)
        #expect(isBegun, "the queue is over")
    }

    @Test mutating func `a waiting request keeps its message, which is parsed again when its turn comes`() throws {
        _ = try add(1, byteCount: 5_000)
        _ = try add(2, byteCount: 5_000)
        let next = queues.next(of: 1)
        #expect(next?.byteCount == 5_000)
        #expect(next?.data["number"]?.integer == 2)
    }

    @Test mutating func `sessions do not wait for one another`() throws {
        var isFirst: [Bool] = []
        for session in [1, 2, 1] { isFirst.append(try add(1, of: UInt64(session))) }
        #expect(isFirst == [true, true, false])
    }

    @Test mutating func `only so many requests wait`() throws {
        for id in 0...Limits.requestsWaitingMax { _ = try add(id) }
        var refusal: ErrorCode?
        do { _ = try add(999) } catch let error as WireError { refusal = error.code }
        #expect(refusal == .serverBusy)
        _ = queues.next(of: 1)
        let isFirst = try add(1_000)
        #expect(!isFirst)
    }

    @Test mutating func `dropped requests are not begun, and the one under way is finished`() throws {
        for id in 1...3 { _ = try add(id) }
        queues.drop(of: 1)
        let isFirst = try add(4)
        #expect(!isFirst, "the first is under way still")
        let next = queues.next(of: 1)
        let last = queues.next(of: 1)
        #expect(next?.id == 4 && last == nil)
    }

    @Test mutating func `only so many bytes wait, and requests that are done no longer count`() throws {
        let quarter = Limits.requestsWaitingBytesMax / 4
        for id in 0...4 { _ = try add(id, byteCount: quarter) }
        var refusal: ErrorCode?
        do { _ = try add(5, byteCount: 100) } catch let error as WireError { refusal = error.code }
        #expect(refusal == .serverBusy)
        _ = queues.next(of: 1)
        let isFirst = try add(6, byteCount: quarter)
        #expect(!isFirst)
        queues.dropAll()
        for id in 7...10 { _ = try add(id, byteCount: quarter) }
    }

    @Test mutating func `a queue knows whether its session is about to end its own tokens`() throws {
        _ = try add(1)
        #expect(!queues.endsOwnTokens(of: 1))
        _ = try add(2, "auth.sign_out")
        #expect(queues.endsOwnTokens(of: 1) && !queues.endsOwnTokens(of: 2))
    }
}
