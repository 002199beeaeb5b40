/// Every request and event of this revision, for tables and tests.
public enum Catalogue {
    public static let requests: [any WireRequest.Type] = [
        Hello.self, AuthSignUp.self, AuthSignIn.self, AuthRefresh.self, AuthGuest.self, AuthSignOut.self,
        UserMe.self, RoomCreate.self, RoomGet.self, RoomList.self, RoomJoin.self, RoomLeave.self, PlaybackGet.self,
        PlaybackPlay.self, PlaybackPause.self, PlaybackSeek.self, HostStart.self, HostPause.self, HostTrack.self,
        HostStop.self, HostReject.self,
    ]

    public static let events: [any WireEvent.Type] = [
        RoomUpdated.self, RoomClosed.self, RoomListeners.self, HostChanged.self, StreamStarted.self,
        StreamEnded.self, TrackChanged.self, HostCommand.self, ServerDraining.self,
    ]
}
