import NIOCore
import NIOWebSocket

/// The listeners. Confined to the event loop.
final class Hub {
    enum Way {
        /// `channel.writeAndFlush(WebSocketFrame)` for each listener, as NIO's own example writes to one.
        case idiomatic
        /// The bytes of the frame made once, and handed to the pipeline below the frame encoder.
        case tuned
    }

    private struct Listener {
        var channel: any Channel
        /// Of the frame encoder: what is written here passes by it.
        var encoder: ChannelHandlerContext
    }

    private let way: Way
    private var listeners: [Listener] = []

    init(_ way: Way) { self.way = way }

    func join(_ channel: any Channel) throws {
        let encoder = try channel.pipeline.syncOperations.context(handlerType: WebSocketFrameEncoder.self)
        listeners.append(Listener(channel: channel, encoder: encoder))
    }

    func leave(_ channel: any Channel) {
        listeners.removeAll { $0.channel === channel }
    }

    func publish(_ message: ByteBuffer) {
        switch way {
        case .idiomatic:
            for listener in listeners {
                listener.channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .binary, data: message), promise: nil)
            }
        case .tuned:
            let bytes = Self.frame(message)
            for listener in listeners {
                listener.encoder.writeAndFlush(NIOAny(bytes), promise: nil)
            }
        }
    }

    /// RFC 6455, section 5.2: final, binary, not masked.
    private static func frame(_ message: ByteBuffer) -> ByteBuffer {
        let count = message.readableBytes
        var bytes = ByteBuffer()
        bytes.reserveCapacity(count + 4)
        bytes.writeInteger(0x82 as UInt8)
        if count < 126 {
            bytes.writeInteger(UInt8(count))
        } else {
            precondition(count < 65536, "a message of the benchmark is at most 64 KiB")
            bytes.writeInteger(126 as UInt8)
            bytes.writeInteger(UInt16(count))
        }
        bytes.writeImmutableBuffer(message)
        return bytes
    }
}

/// One socket after its upgrade.
final class Connection: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let hub: Hub
    private let publishes: Bool

    init(_ hub: Hub, publishes: Bool) {
        self.hub = hub
        self.publishes = publishes
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if publishes { return }
        do { try hub.join(context.channel) } catch { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !publishes { hub.leave(context.channel) }
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .binary where publishes: hub.publish(frame.unmaskedData)
        case .connectionClose: context.close(promise: nil)
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        default: break
        }
    }
}
