public import ArgumentParser
public import SonaWire

// Public because both sides are; nothing imports a program.
extension Delivery: ExpressibleByArgument {}
extension Visibility: ExpressibleByArgument {}
extension LocaleCode: ExpressibleByArgument {}
extension Theme: ExpressibleByArgument {}
extension PresencePolicy: ExpressibleByArgument {}
extension AccountRole: ExpressibleByArgument {}
extension JobState: ExpressibleByArgument {}
extension PlaylistVisibility: ExpressibleByArgument {}
extension PlaylistScope: ExpressibleByArgument {}
extension PlaylistFormat: ExpressibleByArgument {}
extension PlaylistSort: ExpressibleByArgument {}
extension TrackStatus: ExpressibleByArgument {}
extension NotificationKind: ExpressibleByArgument {}
