public import SonaDatabase
public import SonaWire

/// An identifier or a name: stored as the text it is, and held to its own rules when it is read back.
public protocol StoredAsText: DatabaseValueConvertible {
    var rawValue: String { get }
    init?(_ text: String)
}

extension StoredAsText {
    public static var storageClass: StorageClass { .text }
    public var databaseValue: DatabaseValue { .text(rawValue) }
    public init?(databaseValue: DatabaseValue) {
        guard case .text(let text) = databaseValue else { return nil }
        self.init(text)
    }
    public init?(stored: borrowing StoredValue) {
        guard let text = stored.text else { return nil }
        self.init(text)
    }
    public func bind(to values: inout Binder) { values.text(rawValue) }
}

extension UserID: StoredAsText {}
extension RoomID: StoredAsText {}
extension Username: StoredAsText {}
extension InviteID: StoredAsText {}
extension MusicID: StoredAsText {}
extension SlotID: StoredAsText {}
extension ReplayID: StoredAsText {}
extension RecordingID: StoredAsText {}

// A case more or less in one of these is another CHECK, and so a migration.
extension Delivery: DatabaseValueConvertible {}
extension Visibility: DatabaseValueConvertible {}
extension PrivatePolicy: DatabaseValueConvertible {}
extension Standing: DatabaseValueConvertible {}
extension InviteRole: DatabaseValueConvertible {}
extension PlaybackState: DatabaseValueConvertible {}
extension ChatRule: DatabaseValueConvertible {}
extension AccountRole: DatabaseValueConvertible {}
extension LocaleCode: DatabaseValueConvertible {}
extension WordAction: DatabaseValueConvertible {}
extension SlotFrequency: DatabaseValueConvertible {}
extension SlotDJState: DatabaseValueConvertible {}
extension WebhookForm: DatabaseValueConvertible {}
extension Theme: DatabaseValueConvertible {}
extension PresencePolicy: DatabaseValueConvertible {}
