import Glibc
import SonaBase
import SonaEventLoop
import SonaTestSupport
import Testing

@Suite struct UnixChannelTests {
    private let folder = TemporaryFolder()

    /// Both ends of a conversation.
    private func pair() throws -> (UnixChannel, UnixChannel) {
        let path = folder.path + "/door.sock"
        let listening = try ListeningSocket(path: path)
        defer { listening.release() }
        let one = try UnixChannel(path: path, patience: 5)
        var entry = pollfd(fd: listening.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 5_000) == 1)
        let taken = try #require(listening.accept()).descriptor
        return (one, try #require(UnixChannel(accepted: taken, patience: 5)))
    }

    @Test func `messages of any size come whole, and in their order`() throws {
        let (one, other) = try pair()
        let sizes = [0, 1, 65_536, 3_000_000]
        #expect(
            WorkerThread.start("sender") {
                for size in sizes { try? one.send((0..<size).map { UInt8(truncatingIfNeeded: $0) }) }
            })
        for size in sizes {
            let (message, descriptors) = try other.receive()
            #expect(message == (0..<size).map { UInt8(truncatingIfNeeded: $0) })
            #expect(descriptors.isEmpty)
        }
    }

    @Test func `descriptors come open, and are closed on exec`() throws {
        let (one, other) = try pair()
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        try one.send(Array("here".utf8), descriptors: [ends[1]])
        close(ends[1])
        let (message, descriptors) = try other.receive()
        #expect(message == Array("here".utf8) && descriptors.count == 1)
        #expect(fcntl(descriptors[0], F_GETFD) & FD_CLOEXEC != 0)
        #expect(write(descriptors[0], "x", 1) == 1)
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 1 && byte == UInt8(ascii: "x"))
        close(descriptors[0])
        close(ends[0])
    }

    @Test func `an end that has gone is an error at once`() throws {
        var (one, other): (UnixChannel?, UnixChannel?) = try pair()
        one = nil
        #expect(throws: EventLoopError.self) { _ = try other?.receive() }
        (one, other) = try pair()
        other = nil
        #expect(throws: EventLoopError.self) { for _ in 0..<2 { try one?.send([1]) } }
        #expect(throws: EventLoopError.self) { _ = try UnixChannel(path: folder.path + "/nobody", patience: 1) }
    }
}
