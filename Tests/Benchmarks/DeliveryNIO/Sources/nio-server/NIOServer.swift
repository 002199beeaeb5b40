import ArgumentParser
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Every binary message that a connection to `/pub` sends goes to all other connections, on one event loop.
@main
struct NIOServer: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "nio-server")

    @Flag(help: "Encode each frame once and write its bytes below the encoder, instead of a frame per listener.")
    var tuned = false

    @Option(help: "0 takes a free one and prints it.")
    var port = 0

    func run() throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let way: Hub.Way = tuned ? .tuned : .idiomatic
        let hub = try loop.submit { NIOLoopBound(Hub(way), eventLoop: loop) }.wait()
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    let handler = Connection(hub.value, publishes: head.uri == "/pub")
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            })
        let server = try ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline(
                    withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
            }
            .bind(host: "127.0.0.1", port: port).wait()
        print("listening on http://127.0.0.1:\(server.localAddress?.port ?? port)")
        fflush(nil)
        try server.closeFuture.wait()
    }
}
