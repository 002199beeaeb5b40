/// The formats of files, by the words of the library.
package enum SoundFormat {
    /// The media type of a file of the kind.
    package static func contentType(_ kind: String) -> String {
        switch kind {
        case "mp3": "audio/mpeg"
        case "flac": "audio/flac"
        case "ogg": "audio/ogg"
        case "wav": "audio/wav"
        case "aiff": "audio/aiff"
        case "mp4": "audio/mp4"
        case "aac": "audio/aac"
        case "matroska": "audio/webm"
        case "asf": "audio/x-ms-wma"
        case "wavPack": "audio/x-wavpack"
        case "ape": "audio/x-ape"
        case "caf": "audio/x-caf"
        case "au": "audio/basic"
        default: "application/octet-stream"
        }
    }

    /// The usual ending of the name of such a file.
    static func ending(_ kind: String) -> String {
        switch kind {
        case "mp4": "m4a"
        case "matroska": "mka"
        case "asf": "wma"
        case "wavPack": "wv"
        case "aiff": "aif"
        default: kind.lowercased()
        }
    }
}
