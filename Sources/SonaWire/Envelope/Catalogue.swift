/// Every request and event of this revision, for tables and tests.
public enum Catalogue {
    public static let requests: [any WireRequest.Type] = [
        Hello.self, AuthSignUp.self, AuthSignIn.self, AuthRefresh.self, AuthGuest.self, AuthSignOut.self,
        UserMe.self, RoomCreate.self, RoomGet.self, RoomList.self, RoomJoin.self, RoomLeave.self, PlaybackGet.self,
        PlaybackPlay.self, PlaybackPause.self, PlaybackSeek.self, HostStart.self, HostPause.self, HostTrack.self,
        HostStop.self, HostReject.self,
        AuthExchange.self, AuthReauthenticate.self, AuthSignOutEverywhere.self, AuthChangePassword.self,
        AuthRequestRecovery.self, AuthRecover.self, AuthRequestConfirmation.self, AuthConfirmEmail.self,
        AuthChangeEmail.self, UsernameCheck.self, UsernameClaim.self, UsernameChange.self, UserGet.self,
        UserSearch.self, ProfileUpdate.self, PhotoRemove.self, SettingsUpdate.self, PeopleFollow.self,
        PeopleUnfollow.self, PeopleBlock.self, PeopleUnblock.self, PeopleFollowers.self, PeopleFollowing.self,
        PeopleFriends.self, PeopleBlocked.self, PeoplePresence.self, AccountExport.self, AccountRemove.self,
        UsersList.self, UsersBan.self, UsersUnban.self, UsersSetRole.self, JournalList.self, JournalVerify.self,
        RoomUpdate.self, RoomClose.self, RoomRemovePicture.self, RoomSearch.self, RoomWatch.self, RoomUnwatch.self,
        InviteCreate.self, InviteList.self, InviteRevoke.self, RoomWaiting.self, RoomAdmit.self, RoomDeny.self,
        RoomMembers.self, RoomSetStanding.self, RoomKick.self, RoomBan.self, RoomUnban.self, RoomBans.self,
        RoomMute.self, RoomUnmute.self, HostRequest.self, HostOffer.self, HostTakeBack.self,
        ChatSend.self, ChatEdit.self, ChatDelete.self, ChatHistory.self, ReactionSend.self,
        RoomHistory.self, RoomRecap.self, ListeningReport.self, RoomMeter.self,
        QueueGet.self, QueueAdd.self, QueueSuggest.self, QueueApprove.self, QueueReject.self, QueueRemove.self,
        QueueMove.self, QueueClear.self, QueueShuffle.self, QueueSetRepeat.self, QueueSetRules.self, QueueNext.self,
        QueuePrevious.self, QueueStarted.self, QueueFinished.self, QueueVote.self, QueueVoteSkip.self,
    ]

    public static let events: [any WireEvent.Type] = [
        RoomUpdated.self, RoomClosed.self, RoomListeners.self, HostChanged.self, StreamStarted.self,
        StreamEnded.self, TrackChanged.self, HostCommand.self, ServerDraining.self,
        RoomsChanged.self,
        RoomRemoved.self, RoomKnocked.self, RoomAdmitted.self, RoomDenied.self, RoomStandingChanged.self,
        RoomMembersChanged.self, RoomModerated.self, HostRequested.self, HostOffered.self, HostLostSeat.self,
        ChatPosted.self, ChatChanged.self, Reactions.self,
        QueueChanged.self,
    ]
}
