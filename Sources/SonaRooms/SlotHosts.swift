package import SonaWire

/// Who may host a room by its schedule, whatever else they are in it.
package struct SlotHosts: Sendable, Hashable {
    /// The DJ of the slot that goes on: takes the seat as whoever has the capability `host` does.
    package var host: UserID?
    /// Those who may come in: that DJ, and those whose slots begin soon.
    package var welcome: Set<UserID>

    package init(host: UserID? = nil, welcome: Set<UserID> = []) {
        self.host = host
        self.welcome = welcome
    }
}
