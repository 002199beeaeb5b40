import Glibc
import Testing

/// libopus and libopusfile, asked directly: what they say is what SonaAudio has to say too.
///
/// Looked up at run time, because the tests link neither.
struct Oracles: Sendable {
    private typealias Parse =
        @convention(c) (
            UnsafePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>?, UnsafeMutableRawPointer?,
            UnsafeMutablePointer<Int16>?, UnsafeMutablePointer<Int32>?
        ) -> Int32
    private typealias Samples = @convention(c) (UnsafePointer<UInt8>?, Int32, Int32) -> Int32
    private typealias Open = @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<Int32>?) -> OpaquePointer?
    private typealias Total = @convention(c) (OpaquePointer?, Int32) -> Int64
    private typealias Close = @convention(c) (OpaquePointer?) -> Void

    private let parse: Parse
    private let samples: Samples
    private let open: Open
    private let total: Total
    private let close: Close

    init() throws {
        func find<F>(_ name: String, in handle: UnsafeMutableRawPointer, as type: F.Type) throws -> F {
            unsafeBitCast(try #require(dlsym(handle, name), "\(name) was not found."), to: type)
        }
        let opus = try #require(dlopen("libopus.so.0", RTLD_NOW), "libopus0 is not installed.")
        let opusfile = try #require(dlopen("libopusfile.so.0", RTLD_NOW), "libopusfile0 is not installed.")
        parse = try find("opus_packet_parse", in: opus, as: Parse.self)
        samples = try find("opus_packet_get_nb_samples", in: opus, as: Samples.self)
        open = try find("op_open_file", in: opusfile, as: Open.self)
        total = try find("op_pcm_total", in: opusfile, as: Total.self)
        close = try find("op_free", in: opusfile, as: Close.self)
    }

    /// Frames and samples of a packet if libopus takes it; nil if it does not.
    func inspect(_ packet: [UInt8]) -> (frames: Int, samples: Int)? {
        var sizes = [Int16](repeating: 0, count: 48)
        let frames = parse(packet, Int32(packet.count), nil, nil, &sizes, nil)
        let samples = samples(packet, Int32(packet.count), 48_000)
        return frames > 0 && samples > 0 ? (Int(frames), Int(samples)) : nil
    }

    /// Samples to be heard in a whole file, pre-skips and trims taken off.
    func heardSamples(_ path: String) throws -> Int {
        var status: Int32 = 0
        let file = try #require(open(path, &status), "libopusfile refused \(path): \(status)")
        defer { close(file) }
        return Int(total(file, -1))
    }
}
