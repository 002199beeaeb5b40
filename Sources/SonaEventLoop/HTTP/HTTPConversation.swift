internal import Glibc
internal import SonaBase

/// The HTTP/1.1 half of a socket: it reads one request after the other and answers each, until an upgrade ends it.
///
/// States: `announcement` (of trusted proxies only) → `head` (the next request's head is awaited) → `body` (it is read
/// into memory) or `upload` (it goes to a sink) → `waiting` (the application has it) → `writing` → `head` again, or `parting`: the last answer is out,
/// and anything the peer still sends is read and discarded, since closing a socket with unread bytes would lose the
/// answer (RFC 9112 §9.6). An upgrade ends it.
///
/// Requests that come before the answer to an earlier one (pipelining) wait in `input`, which holds as much as one read
/// takes; then the socket is not read.
final class HTTPConversation {
    private enum State {
        /// A trusted proxy may say first who the client is.
        case announcement
        case head
        /// The total number of bytes expected.
        case body(Int)
        /// The body goes to the sink of `upload`.
        case upload
        case waiting
        case writing
        /// The number of bytes that are still read.
        case parting(Int)
    }

    unowned let socket: LoopSocket  // The socket owns this.
    private var core: LoopCore { socket.core }
    private var state = State.head
    /// The request being answered.
    private(set) var exchange: HTTPExchange?
    /// Requests begun on this socket, which may be kept alive for several.
    private var requestCount: UInt16 = 0
    /// Bytes that have been read and not been parsed yet.
    private var input: [UInt8] = []
    /// How much of it has been searched for the end of a head.
    private var searched = 0
    /// Bytes of answers that the socket has not taken yet.
    private var output = HTTPOutput()
    private var closesAfterOutput = false
    /// The file that the answer being written is read from, as long as something of it is to come.
    private var download: Download?
    private var upload: Upload?
    /// More of a file can be sent only in another iteration (`LoopCore.waitForTurn`).
    private var waitsForTurn = false
    private var isProcessing = false
    private var isReadingPaused = false
    /// The socket has not taken all of the output.
    private var isBlocked = false
    /// The head of the request at hand says that the connection goes on.
    private var keepsAlive = true
    private var isHTTP11 = true

    /// Bytes of one answer that are written in one iteration of the loop.
    private static let iterationBytesMax = 64 * 1024
    /// Time within which the whole head of a request must arrive, from the opening of the connection or the head's
    /// first byte.
    static let headSeconds = 10
    /// How long a connection is kept after an answer.
    private static let idleSeconds = 15
    /// The time within which a disk gives a block of a file.
    private static let diskSeconds = 60
    /// The time within which another part of a body must arrive.
    private static let progressSeconds = 10
    /// How much of a body is progress.
    private static let progressBytes = 8 * 1024
    /// A body that nobody wants is read to its end if it has no more bytes than this.
    private static let unwantedBodyMax = 16 << 20
    private static let partingSeconds = 5
    /// Bytes that are kept while an earlier request is answered: as many as one read returns.
    private static let inputBytesMax = 32 * 1024
    /// The last block of a file is among the output.
    private var isEndOfDownload = false
    /// How much of a body has come since that was progress.
    private var bodyProgress = 0
    /// Bytes that are still read after the answer that ends the connection.
    private var partingBytes = 0

    init(_ socket: LoopSocket) {
        self.socket = socket
        // Over TLS it has been read before the handshake.
        if !socket.isTLS, socket.core.loop.options.clients.trusts(socket.remote) { state = .announcement }
    }

    /// Nobody waits for an answer any more.
    func end() {
        releaseBody()
        cutUpload()
        download = nil
        exchange?.cancel()
        exchange = nil
        output = HTTPOutput()
        input = []
    }

    var queuedBytes: Int { output.count }
    /// An answer has been given, and no other request has begun; or the last answer is out.
    var isIdle: Bool {
        switch state {
        case .head: requestCount > 0 && input.isEmpty
        case .parting: true
        case .announcement, .body, .upload, .waiting, .writing: false
        }
    }

    // MARK: Reading

    /// Bytes of the connection. False if it is to be closed.
    func received(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        if case .parting(let rest) = state {
            state = .parting(rest - bytes.count)
            return rest >= bytes.count
        }
        if input.isEmpty, case .head = state {
            // A whole request in one read is the rule: nothing is copied then.
            isProcessing = true
            let used = readHead(UnsafeRawBufferPointer(bytes))
            isProcessing = false
            guard socket.isAlive else { return false }
            guard socket.http === self else { return socket.passOn(bytes[used...]) }
            if used > 0 { searched = 0 }
            if used < bytes.count { keep(bytes[used...]) }
        } else {
            keep(bytes[...])
        }
        return process()
    }

    private func keep(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
        if input.isEmpty, case .head = state { expectHead() }
        input.append(contentsOf: bytes)
        switch state {
        case .waiting, .writing:
            if input.count >= Self.inputBytesMax, !isReadingPaused {
                isReadingPaused = true
                socket.pauseReading()
            }
        default: break
        }
    }

    private func expectHead() { socket.expect(within: Self.headSeconds) }

    /// Parses and answers the bytes read so far, as far as that is possible now. False if the connection is to be
    /// closed.
    private func process() -> Bool {
        guard !isProcessing else { return true }
        isProcessing = true
        defer { isProcessing = false }
        requests: while socket.isAlive, socket.http === self, !input.isEmpty {
            switch state {
            case .announcement:
                switch input.withUnsafeBytes({ ProxyHeader.parse($0) }) {
                case .incomplete: return true
                case .invalid: return false
                case .none: break
                case .header(let count, let client, let isSecure):
                    input.removeFirst(count)
                    guard socket.take(Announcement(client: client, isSecure: isSecure)) else {
                        core.figures.refusedConnections &+= 1
                        return false
                    }
                }
                state = .head
            case .head:
                let used: Int
                do {
                    // Named here, since an upgrade forgets the input.
                    var bytes = input
                    used = bytes.withUnsafeBytes { readHead($0) }
                    guard socket.http === self else {
                        return bytes.withUnsafeMutableBytes { socket.passOn($0[used...]) }
                    }
                }
                guard used > 0 else { return socket.isAlive }
                input.removeFirst(used)
                searched = 0
            case .body(let count):
                takeBody(count)
                if case .body = state { return true }
            case .upload:
                takeUpload()
                if case .upload = state { break requests }
            case .waiting, .writing: return true
            case .parting(let rest):
                state = .parting(rest - input.count)
                input = []
                return rest >= 0
            }
        }
        if isReadingPaused, input.count < Self.inputBytesMax, upload?.isFull != true {
            isReadingPaused = false
            socket.resumeReading()
        }
        return socket.isAlive
    }

    /// Reads one head, if it is whole. Returns how many bytes it took, 0 if it is not whole.
    private func readHead(_ bytes: UnsafeRawBufferPointer) -> Int {
        var start = 0
        // An empty line before a request is forgiven (RFC 9112 §2.2).
        while start + 1 < bytes.count, bytes[start] == 0x0D, bytes[start + 1] == 0x0A { start += 2 }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let end = HTTPHead.end(of: rest, from: max(0, searched - start)) else {
            searched = bytes.count
            if let fault = Self.fault(ofUnfinished: rest, max: core.loop.options.headerBytesMax) {
                core.figures.requests &+= 1
                refuse(fault)
                return bytes.count
            }
            return start
        }
        let head = UnsafeRawBufferPointer(rebasing: rest[..<end])
        core.figures.requests &+= 1
        requestCount &+= 1
        keepsAlive = false
        if let fault = Self.fault(of: head, max: core.loop.options.headerBytesMax) {
            refuse(fault)
        } else {
            do throws(HTTPRequest.Fault) {
                try begin(try HTTPHead(parsing: head, scratch: core.headScratch), rest: bytes.count - start - end)
            } catch {
                refuse(error)
            }
        }
        return start + end
    }

    private static func fault(ofUnfinished bytes: UnsafeRawBufferPointer, max: Int) -> HTTPRequest.Fault? {
        guard let base = bytes.baseAddress else { return nil }
        if memchr(base, 0x0A, bytes.count) == nil {
            return bytes.count > HTTPHead.lineBytesMax ? .targetTooLong : nil
        }
        return bytes.count > max ? .headTooLarge : nil
    }

    private static func fault(of head: UnsafeRawBufferPointer, max: Int) -> HTTPRequest.Fault? {
        guard let base = head.baseAddress else { return nil }
        if head.count > HTTPHead.lineBytesMax, memchr(base, 0x0A, HTTPHead.lineBytesMax) == nil {
            return .targetTooLong
        }
        return head.count > max ? .headTooLarge : nil
    }

    // MARK: Requests

    /// - Parameter rest: Bytes that have come after the head.
    private func begin(_ head: HTTPHead, rest: Int) throws(HTTPRequest.Fault) {
        isHTTP11 = head.isHTTP11
        var request = try HTTPRequest(head, from: socket.remote)
        let length = try request.bodyLength()
        let expectsContinue = try request.expectsContinue()
        let clients = core.loop.options.clients
        request.remote = try clients.client(of: request)
        request.isSecure =
            clients.trusts(request.peer)
            ? clients.saysSecure(request) : socket.isTLS || socket.announcedSecure
        keepsAlive = head.keepsAlive
        if let wait = clients.takeRequest(of: request.remote) {
            var response = HTTPResponse.text(429, "Too many requests from one address.")
            response.headers.append((name: "retry-after", value: String((wait + 999) / 1000)))
            response.closes = true
            if case .known(let count) = length { return refuse(response, unread: max(0, count - rest)) }
            refuse(response, unread: 0)
            return
        }
        if head.asksForUpgrade {
            guard length == .none || length == .known(0) else { throw .bad("an upgrade has no body") }
            return upgrade(request, head)
        }
        let exchange = HTTPExchange(
            // The socket's number and a running one, so that an answer that comes late finds this very request.
            number: socket.number << 16 | UInt64(requestCount), request: request, in: self)
        let withoutTLS = socket.answerWithoutTLS(request)
        guard case .known(let count) = length, count > 0 else {
            if var withoutTLS {
                withoutTLS.closes = true
                return refuse(withoutTLS, unread: 0)
            }
            self.exchange = exchange
            return dispatch(request, exchange)
        }
        guard request.method != .get, request.method != .head else {
            throw .bad("a \(request.method.rawValue) request has no body here")
        }
        let decision = withoutTLS.map(BodyDecision.refuse) ?? core.application?.body(of: request, bytes: count)
        switch decision ?? .refuse(.text(503, "Nobody serves here.")) {
        case .take:
            // A client that has sent the body already does not wait for this line.
            if expectsContinue, rest == 0 { write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), nil) }
            self.exchange = exchange
            state = .body(count)
            core.bodyBytes.reserve(count, for: request.remote.group)
            bodyProgress = 0
            socket.expect(within: Self.progressSeconds)
        case .stream(let sink):
            if expectsContinue, rest == 0 { write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), nil) }
            exchange.sink = sink
            self.exchange = exchange
            upload = Upload(sink, bytes: count)
            state = .upload
            bodyProgress = 0
            socket.expect(within: Self.progressSeconds)
        case .refuse(var response):
            response.closes = true
            refuse(response, unread: expectsContinue && rest == 0 ? 0 : count - min(count, rest))
        }
    }

    private func takeBody(_ count: Int) {
        guard let exchange else { return }
        let part = min(count - exchange.body.count, input.count)
        exchange.body.append(contentsOf: input[..<part])
        input.removeFirst(part)
        core.pace.hurry()
        bodyProgress += part
        guard exchange.body.count == count else {
            // A byte now and then is no progress.
            if bodyProgress >= Self.progressBytes {
                bodyProgress = 0
                socket.expect(within: Self.progressSeconds)
            }
            return
        }
        releaseBody()
        var request = exchange.request
        request.body = exchange.body
        exchange.body = []
        dispatch(request, exchange)
    }

    private func releaseBody() {
        guard case .body(let count) = state, let exchange else { return }
        state = .waiting
        core.bodyBytes.release(count, for: exchange.request.remote.group)
    }

    private func dispatch(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        state = .waiting
        // The application decides how long an answer may take.
        socket.expectNothing()
        guard let application = core.application else { return exchange.respond(.text(503, "Nobody serves here.")) }
        application.received(request, exchange)
    }

    private func upgrade(_ request: HTTPRequest, _ head: HTTPHead) {
        switch socket.decideUpgrade(request, isHTTP11: head.isHTTP11) {
        case .accept(let connection, let answer): socket.become(connection, after: answer)
        case .refuse(var response):
            core.figures.refusedUpgrades &+= 1
            response.closes = true
            refuse(response, unread: 0)
        }
    }

    // MARK: Answering

    private func refuse(_ fault: HTTPRequest.Fault) {
        refuse(
            Self.response(to: fault),
            unread: Self.unwantedBodyMax)
    }

    /// Answers and ends the connection, having read so much more.
    private func refuse(_ response: HTTPResponse, unread: Int) {
        exchange = nil
        answer(response, closes: true, isHead: false)
        guard case .writing = state else { return }
        partingBytes = unread
    }

    private static func response(to fault: HTTPRequest.Fault) -> HTTPResponse {
        switch fault {
        case .bad(let why): .text(400, "Bad request: \(why).")
        case .lengthRequired: .text(411, "The body must come with its Content-Length.")
        case .methodUnknown: .text(501, "This method is not known here.")
        case .versionUnknown: .text(505, "HTTP/1.1 and HTTP/1.0 are spoken here.")
        case .headTooLarge: .text(431, "The header fields together are too large.")
        case .tooManyFields: .text(431, "A request may have \(HTTPHead.fieldsMax) header fields.")
        case .targetTooLong: .text(414, "The first line may have \(HTTPHead.lineBytesMax) bytes.")
        case .expectationUnknown: .text(417, "Only 100-continue can be expected.")
        }
    }

    /// The answer to the request at hand.
    func answer(_ response: HTTPResponse, to request: HTTPRequest) {
        exchange = nil
        answer(response, closes: response.closes || !keepsAlive, isHead: request.method == .head)
        if !isProcessing, socket.isAlive, !process() { socket.cut() }
    }

    private func answer(_ response: HTTPResponse, closes: Bool, isHead: Bool) {
        state = .writing
        var response = response
        if socket.isTLS, let header = core.loop.strictTransportHeader { response.headers.append(header) }
        // HTTP/1.0 has no chunks: there the end of the connection is the end of such a body.
        let closes = closes || response.growing != nil && !isHTTP11
        closesAfterOutput = closes
        partingBytes = Self.unwantedBodyMax
        let connection: StaticString? = closes ? "close" : isHTTP11 ? nil : "keep-alive"
        let head = response.head(date: core.date.now(), connection: connection, isChunked: isHTTP11)
        let hasBody = !isHead && response.status != 204 && response.status != 304
        if hasBody, let file = response.file {
            download = file.count > 0 ? Download(file, response.meter) : nil
            write(head, nil)
            return
        }
        if hasBody, let growing = response.growing {
            download = Download(growing, isChunked: isHTTP11, response.meter)
            write(head, nil)
            return
        }
        if hasBody { response.meter?.add(response.body.count) }
        write(head, hasBody ? response.body : nil)
    }

    private func write(_ head: [UInt8], _ body: [UInt8]?) {
        let wasEmpty = output.isEmpty
        output.append(head, body)
        if wasEmpty { flush() }
    }

    /// The socket takes more. False if the connection is to be closed.
    func writable() -> Bool {
        flush()
        return socket.isAlive && process()
    }

    private func flush() {
        guard !waitsForTurn else { return }
        let isMedia = download != nil || isEndOfDownload
        let allowed = isMedia ? core.mediaBudget : Self.iterationBytesMax
        var budget = allowed
        while !output.isEmpty, budget > 0 {
            let taken = output.withFirst(atMost: budget) { socket.send($0) }
            guard taken >= 0 else { return socket.cut() }
            guard taken > 0 else { break }
            output.removeFirst(taken)
            budget -= taken
        }
        if isMedia {
            core.spendMedia(allowed - budget)
            readOn()
        }
        guard output.isEmpty else {
            socket.growBuffer(isMedia: isMedia)
            if budget < allowed || !isBlocked { socket.expectTaking(isMedia: isMedia) }
            isBlocked = true
            if budget == 0, isMedia {
                waitsForTurn = true
                return core.waitForTurn(socket.number)
            }
            if budget == 0 { core.pace.hurry() }
            return socket.requestWritable()
        }
        isBlocked = false
        // The file is read; the answer goes on when the bytes are there.
        if download != nil { return socket.expect(within: Self.diskSeconds) }
        isEndOfDownload = false
        socket.shrinkBuffer()
        guard case .writing = state else { return }
        if closesAfterOutput {
            state = .parting(partingBytes)
            socket.finish()
            socket.expect(within: Self.partingSeconds)
        } else {
            state = .head
            searched = 0
            socket.expect(within: Self.idleSeconds)
        }
    }
}

// MARK: - Bodies from files

extension HTTPConversation {
    /// Has the next block of the answer's file read, if there is room for it.
    private func readOn() {
        guard var download, !download.isReading, output.count <= Download.lowBytes else { return }
        let (loop, number, request) = (core.loop, socket.number, requestCount)
        download.read { piece in loop.post { loop.core.sockets[number]?.http?.hasRead(piece, request) } }
        self.download = download
    }

    private func hasRead(_ piece: GrowingFile.Piece, _ request: UInt16) {
        guard request == requestCount, download?.isReading == true else { return }
        // The head is out: all that can be said of a file that became shorter, or was not finished, is the end of the
        // connection.
        guard let (bytes, isLast) = download?.take(piece) else { return socket.cut() }
        if isLast {
            download = nil
            isEndOfDownload = true
        }
        if bytes.isEmpty { flush() } else { write(bytes, nil) }
        if socket.isAlive, !isProcessing, !process() { socket.cut() }
    }

    /// The loop has bytes to spare for this answer.
    func takeTurn() {
        waitsForTurn = false
        flush()
        if socket.isAlive, !process() { socket.cut() }
    }
}

// MARK: - Bodies to sinks

extension HTTPConversation {
    private func takeUpload() {
        guard var upload else { return }
        let part = min(upload.left, input.count)
        upload.take(input[..<part])
        input.removeFirst(part)
        bodyProgress += part
        self.upload = upload
        writeOn()
        guard let now = self.upload else { return }
        if now.isFull, !isReadingPaused {
            isReadingPaused = true
            socket.pauseReading()
            // The sink is slow, not the peer.
            socket.expectNothing()
        } else if now.left == 0 {
            socket.expectNothing()
        } else if bodyProgress >= Self.progressBytes {
            bodyProgress = 0
            socket.expect(within: Self.progressSeconds)
        }
    }

    private func writeOn() {
        guard let bytes = upload?.next(), let upload else { return }
        let isLast = upload.left == 0
        let (loop, number, request) = (core.loop, socket.number, requestCount)
        upload.writer.write(bytes, isWhole: isLast ? true : nil) { isEnd, hasFailed in
            loop.post { loop.core.sockets[number]?.http?.hasWritten(isEnd, hasFailed, request) }
        }
    }

    private func hasWritten(_ isEnd: Bool, _ hasFailed: Bool, _ request: UInt16) {
        guard request == requestCount, upload != nil, let exchange else { return }
        upload?.hasWritten()
        guard isEnd else {
            writeOn()
            if isReadingPaused, upload?.isFull == false {
                bodyProgress = 0
                socket.expect(within: Self.progressSeconds)
            }
            if !process() { socket.cut() }
            return
        }
        let left = upload?.left ?? 0
        upload = nil
        // The next bytes of the connection are the rest of this body, so that no further request can be read.
        if hasFailed, left > 0 { keepsAlive = false }
        var whole = exchange.request
        whole.sink = exchange.sink
        isProcessing = true
        dispatch(whole, exchange)
        isProcessing = false
        if socket.isAlive, !process() { socket.cut() }
    }

    /// The connection is gone: what came of the body is written, and the sink told that it is all.
    private func cutUpload() {
        guard var upload else { return }
        let rest = upload.rest()
        self.upload = nil
        upload.writer.write(rest, isWhole: false)
    }
}
