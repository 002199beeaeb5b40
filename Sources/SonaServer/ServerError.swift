package import SonaEventLoop
package import SonaModel

/// Reasons why a server did not start.
package enum ServerError: Error {
    case address(EventLoopError)
    case model(ModelError)
    case demo(String)
    /// The reason, without the name of what failed.
    case demoAlbums(String)
    /// The running server does not hand over; a reason without its full stop.
    case handover(String)
    /// A part of the configuration can't be used; a sentence without its full stop.
    case configuration(String)

    /// One sentence for the person who started the server.
    package var sentence: String {
        switch self {
        case .address(let error): "\(error.detail)."
        case .model(let error): error.sentence
        case .configuration(let detail): "\(detail)."
        case .handover(let reason): "The running server could not be taken over: \(reason)."
        case .demo(let detail): "The demo room could not be made: \(detail)."
        case .demoAlbums(let detail): "The albums of the demo could not be written: \(detail)."
        }
    }

    /// The exit code of the command-line contract.
    package var exitCode: Int32 {
        switch self {
        case .address(let error):
            switch error.code {
            case .addressInUse: 75
            case .notPermitted: 77
            case .badAddress: 78
            default: 74
            }
        case .model(let error):
            switch error {
            case .folderInUse: 75
            case .folderUnwritable: 74
            case .folderOfOthers, .folderOpenToAll: 77
            case .keysLost, .databaseLost: 65
            case .databaseDamaged, .databaseNewer: 65
            case .keyUnreadable, .noSpaceForCopy: 74
            case .storage: 74
            }
        case .demo, .demoAlbums: 74
        case .configuration: 78
        case .handover: 75
        }
    }
}
