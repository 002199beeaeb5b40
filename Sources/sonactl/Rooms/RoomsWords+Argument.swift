public import ArgumentParser
public import SonaWire

// Public because both sides are; nothing imports a program.
extension PrivatePolicy: ExpressibleByArgument {}
extension RoomScope: ExpressibleByArgument {}
extension InviteRole: ExpressibleByArgument {}
extension ChatRule: ExpressibleByArgument {}
extension RecapFormat: ExpressibleByArgument {}
extension RepeatMode: ExpressibleByArgument {}
extension QueueRules.Ordering: ExpressibleByArgument {}
extension QueueRules.Audience: ExpressibleByArgument {}
