/// Messages that wait for one connection's socket, first in, first out; urgent ones go ahead of the others.
struct SendQueue {
    enum Message {
        case frame(WebSocketFrame)
        case urgent(() -> [UInt8])
        case client([UInt8], isText: Bool)

        var bytes: Int {
            switch self {
            case .frame(let frame): frame.count
            // The memory that a closure and its context take.
            case .urgent: 160
            case .client(let bytes, _): bytes.count + 14
            }
        }
    }

    private var messages: [Message] = []
    private var head = 0
    private(set) var bytes = 0

    var isEmpty: Bool { head == messages.count }

    mutating func append(_ message: Message) {
        bytes += message.bytes
        guard case .urgent = message else {
            messages.append(message)
            return
        }
        var place = head
        while place < messages.count, case .urgent = messages[place] { place += 1 }
        messages.insert(message, at: place)
    }

    var first: Message? { head < messages.count ? messages[head] : nil }

    mutating func removeFirst() {
        guard head < messages.count else { return }
        bytes -= messages[head].bytes
        head += 1
        if head == messages.count {
            messages.removeAll(keepingCapacity: messages.capacity <= 64)
            head = 0
        } else if head >= 64 {
            messages.removeFirst(head)
            head = 0
        }
    }

    mutating func removeAll() {
        messages = []
        head = 0
        bytes = 0
    }
}
