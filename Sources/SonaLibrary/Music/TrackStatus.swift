public import SonaDatabase
public import SonaWire

// A case more or less in one of these is another CHECK, and so a migration.
extension TrackStatus: DatabaseValueConvertible {}
extension FolderAudience: DatabaseValueConvertible {}
extension JobState: DatabaseValueConvertible {}
extension PlaySource: DatabaseValueConvertible {}
extension PlayerRepeat: DatabaseValueConvertible {}
extension PlaylistVisibility: DatabaseValueConvertible {}
