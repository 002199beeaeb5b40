internal import SonaWire

/// Who sees a track, as one number, so that lists find the tracks of a listener by a column.
///
/// A track of a folder has the number of the folder, from 1 on.
enum TrackScope {
    /// An upload that was approved: every account.
    static let approved: Int64 = 0
    /// An upload that was not: its owner, and administrators.
    static let own: Int64 = -1

    /// A track whose file a scan did not find, or found broken: administrators.
    static let missing: Int64 = -2

    static func of(folder: Int64) -> Int64 { folder }

    static func ofUpload(_ status: TrackStatus?) -> Int64 { status == .approved ? approved : own }
}
