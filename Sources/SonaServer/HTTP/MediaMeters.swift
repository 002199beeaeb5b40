internal import SonaEventLoop

/// What is sent of the library, by kind, for figures.
struct MediaMeters: Sendable {
    let streams = BodyMeter()
    let downloads = BodyMeter()
    let covers = BodyMeter()

    /// By the word of the label.
    var all: [(kind: String, meter: BodyMeter)] { [("stream", streams), ("download", downloads), ("cover", covers)] }

    func of(_ path: TrackPath) -> BodyMeter? {
        switch path {
        case .stream: streams
        case .download: downloads
        case .peaks: nil
        }
    }
}
