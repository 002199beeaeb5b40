// Written by list.py. #embed (C23) puts the bytes of a file into an array.
#include "web_player.h"

#ifndef __has_embed
#error The web player is embedded with #embed: this takes Swift 6.2 or newer (clang 19).
#endif

static const unsigned char file0[] = {
#embed "../SonaServer/Public/audio/buffer-output.js"
};
static const unsigned char file1[] = {
#embed "../SonaServer/Public/audio/context-clock.js"
};
static const unsigned char file2[] = {
#embed "../SonaServer/Public/audio/decoder-worker.js"
};
static const unsigned char file3[] = {
#embed "../SonaServer/Public/audio/engine.js"
};
static const unsigned char file4[] = {
#embed "../SonaServer/Public/audio/graph.js"
};
static const unsigned char file5[] = {
#embed "../SonaServer/Public/audio/hosting/capture-worklet.js"
};
static const unsigned char file6[] = {
#embed "../SonaServer/Public/audio/hosting/capture.js"
};
static const unsigned char file7[] = {
#embed "../SonaServer/Public/audio/hosting/dropped.js"
};
static const unsigned char file8[] = {
#embed "../SonaServer/Public/audio/hosting/encoder-worker.js"
};
static const unsigned char file9[] = {
#embed "../SonaServer/Public/audio/hosting/encoder.js"
};
static const unsigned char file10[] = {
#embed "../SonaServer/Public/audio/hosting/files.js"
};
static const unsigned char file11[] = {
#embed "../SonaServer/Public/audio/hosting/id3.js"
};
static const unsigned char file12[] = {
#embed "../SonaServer/Public/audio/hosting/mixing.js"
};
static const unsigned char file13[] = {
#embed "../SonaServer/Public/audio/hosting/mp3.js"
};
static const unsigned char file14[] = {
#embed "../SonaServer/Public/audio/hosting/mp4.js"
};
static const unsigned char file15[] = {
#embed "../SonaServer/Public/audio/hosting/not-loaded.js"
};
static const unsigned char file16[] = {
#embed "../SonaServer/Public/audio/hosting/ogg-opus.js"
};
static const unsigned char file17[] = {
#embed "../SonaServer/Public/audio/hosting/tags.js"
};
static const unsigned char file18[] = {
#embed "../SonaServer/Public/audio/hosting/takes.js"
};
static const unsigned char file19[] = {
#embed "../SonaServer/Public/audio/hosting/vorbis-comments.js"
};
static const unsigned char file20[] = {
#embed "../SonaServer/Public/audio/interpolator.js"
};
static const unsigned char file21[] = {
#embed "../SonaServer/Public/audio/media-session.js"
};
static const unsigned char file22[] = {
#embed "../SonaServer/Public/audio/meter.js"
};
static const unsigned char file23[] = {
#embed "../SonaServer/Public/audio/outputs.js"
};
static const unsigned char file24[] = {
#embed "../SonaServer/Public/audio/packet-shelf.js"
};
static const unsigned char file25[] = {
#embed "../SonaServer/Public/audio/pieces.js"
};
static const unsigned char file26[] = {
#embed "../SonaServer/Public/audio/rate.js"
};
static const unsigned char file27[] = {
#embed "../SonaServer/Public/audio/renderer-worklet.js"
};
static const unsigned char file28[] = {
#embed "../SonaServer/Public/audio/renderer.js"
};
static const unsigned char file29[] = {
#embed "../SonaServer/Public/audio/solo/addresses.js"
};
static const unsigned char file30[] = {
#embed "../SonaServer/Public/audio/solo/decks.js"
};
static const unsigned char file31[] = {
#embed "../SonaServer/Public/audio/solo/decode.js"
};
static const unsigned char file32[] = {
#embed "../SonaServer/Public/audio/solo/element-deck.js"
};
static const unsigned char file33[] = {
#embed "../SonaServer/Public/audio/solo/keys.js"
};
static const unsigned char file34[] = {
#embed "../SonaServer/Public/audio/solo/loudness.js"
};
static const unsigned char file35[] = {
#embed "../SonaServer/Public/audio/solo/ogg-reader.js"
};
static const unsigned char file36[] = {
#embed "../SonaServer/Public/audio/solo/page-deck.js"
};
static const unsigned char file37[] = {
#embed "../SonaServer/Public/audio/solo/sound.js"
};
static const unsigned char file38[] = {
#embed "../SonaServer/Public/audio/solo/voice.js"
};
static const unsigned char file39[] = {
#embed "../SonaServer/Public/audio/step-clock.js"
};
static const unsigned char file40[] = {
#embed "../SonaServer/Public/audio/stretcher.js"
};
static const unsigned char file41[] = {
#embed "../SonaServer/Public/audio/timeline.js"
};
static const unsigned char file42[] = {
#embed "../SonaServer/Public/audio/worklet-output.js"
};
static const unsigned char file43[] = {
#embed "../SonaServer/Public/client.js"
};
static const unsigned char file44[] = {
#embed "../SonaServer/Public/client/README.md"
};
static const unsigned char file45[] = {
#embed "../SonaServer/Public/client/examples/chat.html"
};
static const unsigned char file46[] = {
#embed "../SonaServer/Public/client/examples/chat.js"
};
static const unsigned char file47[] = {
#embed "../SonaServer/Public/client/examples/examples.css"
};
static const unsigned char file48[] = {
#embed "../SonaServer/Public/client/examples/listen.html"
};
static const unsigned char file49[] = {
#embed "../SonaServer/Public/client/examples/listen.js"
};
static const unsigned char file50[] = {
#embed "../SonaServer/Public/client/examples/rooms.html"
};
static const unsigned char file51[] = {
#embed "../SonaServer/Public/client/examples/rooms.js"
};
static const unsigned char file52[] = {
#embed "../SonaServer/Public/components/about-server/about-server.css"
};
static const unsigned char file53[] = {
#embed "../SonaServer/Public/components/about-server/about-server.js"
};
static const unsigned char file54[] = {
#embed "../SonaServer/Public/components/account-page/account-page.js"
};
static const unsigned char file55[] = {
#embed "../SonaServer/Public/components/account-page/app-passwords.js"
};
static const unsigned char file56[] = {
#embed "../SonaServer/Public/components/account-page/proof.js"
};
static const unsigned char file57[] = {
#embed "../SonaServer/Public/components/admin-page/acts.js"
};
static const unsigned char file58[] = {
#embed "../SonaServer/Public/components/admin-page/admin-bans.js"
};
static const unsigned char file59[] = {
#embed "../SonaServer/Public/components/admin-page/admin-content.js"
};
static const unsigned char file60[] = {
#embed "../SonaServer/Public/components/admin-page/admin-folders.js"
};
static const unsigned char file61[] = {
#embed "../SonaServer/Public/components/admin-page/admin-jobs.js"
};
static const unsigned char file62[] = {
#embed "../SonaServer/Public/components/admin-page/admin-journal.js"
};
static const unsigned char file63[] = {
#embed "../SonaServer/Public/components/admin-page/admin-page.css"
};
static const unsigned char file64[] = {
#embed "../SonaServer/Public/components/admin-page/admin-page.js"
};
static const unsigned char file65[] = {
#embed "../SonaServer/Public/components/admin-page/admin-plans.js"
};
static const unsigned char file66[] = {
#embed "../SonaServer/Public/components/admin-page/admin-registration.js"
};
static const unsigned char file67[] = {
#embed "../SonaServer/Public/components/admin-page/admin-reports.js"
};
static const unsigned char file68[] = {
#embed "../SonaServer/Public/components/admin-page/admin-rooms.js"
};
static const unsigned char file69[] = {
#embed "../SonaServer/Public/components/admin-page/admin-server.js"
};
static const unsigned char file70[] = {
#embed "../SonaServer/Public/components/admin-page/admin-storage.js"
};
static const unsigned char file71[] = {
#embed "../SonaServer/Public/components/admin-page/admin-submissions.css"
};
static const unsigned char file72[] = {
#embed "../SonaServer/Public/components/admin-page/admin-submissions.js"
};
static const unsigned char file73[] = {
#embed "../SonaServer/Public/components/admin-page/admin-users.js"
};
static const unsigned char file74[] = {
#embed "../SonaServer/Public/components/admin-page/admin-words.js"
};
static const unsigned char file75[] = {
#embed "../SonaServer/Public/components/admin-page/figure-chart.js"
};
static const unsigned char file76[] = {
#embed "../SonaServer/Public/components/admin-page/figures.css"
};
static const unsigned char file77[] = {
#embed "../SonaServer/Public/components/admin-page/folder-card.js"
};
static const unsigned char file78[] = {
#embed "../SonaServer/Public/components/admin-page/folder-help.js"
};
static const unsigned char file79[] = {
#embed "../SonaServer/Public/components/admin-page/operating.css"
};
static const unsigned char file80[] = {
#embed "../SonaServer/Public/components/admin-page/parts.js"
};
static const unsigned char file81[] = {
#embed "../SonaServer/Public/components/admin-page/people-picker.js"
};
static const unsigned char file82[] = {
#embed "../SonaServer/Public/components/admin-page/polling.js"
};
static const unsigned char file83[] = {
#embed "../SonaServer/Public/components/admin-page/server-figures.js"
};
static const unsigned char file84[] = {
#embed "../SonaServer/Public/components/album-page/album-page.js"
};
static const unsigned char file85[] = {
#embed "../SonaServer/Public/components/artist-page/artist-page.js"
};
static const unsigned char file86[] = {
#embed "../SonaServer/Public/components/avatar/avatar.js"
};
static const unsigned char file87[] = {
#embed "../SonaServer/Public/components/car-page/car-page.css"
};
static const unsigned char file88[] = {
#embed "../SonaServer/Public/components/car-page/car-page.js"
};
static const unsigned char file89[] = {
#embed "../SonaServer/Public/components/confirm-page/confirm-page.js"
};
static const unsigned char file90[] = {
#embed "../SonaServer/Public/components/cover/color.js"
};
static const unsigned char file91[] = {
#embed "../SonaServer/Public/components/cover/cover.js"
};
static const unsigned char file92[] = {
#embed "../SonaServer/Public/components/cover/mosaic.js"
};
static const unsigned char file93[] = {
#embed "../SonaServer/Public/components/cover/music-cover.js"
};
static const unsigned char file94[] = {
#embed "../SonaServer/Public/components/display-page/display-page.css"
};
static const unsigned char file95[] = {
#embed "../SonaServer/Public/components/display-page/display-page.js"
};
static const unsigned char file96[] = {
#embed "../SonaServer/Public/components/drop-veil/drop-veil.css"
};
static const unsigned char file97[] = {
#embed "../SonaServer/Public/components/drop-veil/drop-veil.js"
};
static const unsigned char file98[] = {
#embed "../SonaServer/Public/components/embed-page/embed-page.css"
};
static const unsigned char file99[] = {
#embed "../SonaServer/Public/components/embed-page/embed-page.js"
};
static const unsigned char file100[] = {
#embed "../SonaServer/Public/components/equalizer/equalizer.js"
};
static const unsigned char file101[] = {
#embed "../SonaServer/Public/components/equalizer/preset-row.js"
};
static const unsigned char file102[] = {
#embed "../SonaServer/Public/components/explore-shelves/explore-shelves.js"
};
static const unsigned char file103[] = {
#embed "../SonaServer/Public/components/explore-shelves/shelf.css"
};
static const unsigned char file104[] = {
#embed "../SonaServer/Public/components/explore-shelves/shelf.js"
};
static const unsigned char file105[] = {
#embed "../SonaServer/Public/components/friends-page/feed.js"
};
static const unsigned char file106[] = {
#embed "../SonaServer/Public/components/friends-page/friends-page.css"
};
static const unsigned char file107[] = {
#embed "../SonaServer/Public/components/friends-page/friends-page.js"
};
static const unsigned char file108[] = {
#embed "../SonaServer/Public/components/friends-page/friends-shelf.js"
};
static const unsigned char file109[] = {
#embed "../SonaServer/Public/components/friends-page/in-common.js"
};
static const unsigned char file110[] = {
#embed "../SonaServer/Public/components/genre-page/genre-page.js"
};
static const unsigned char file111[] = {
#embed "../SonaServer/Public/components/history-part/consents.js"
};
static const unsigned char file112[] = {
#embed "../SonaServer/Public/components/history-part/history-part.css"
};
static const unsigned char file113[] = {
#embed "../SonaServer/Public/components/history-part/history-part.js"
};
static const unsigned char file114[] = {
#embed "../SonaServer/Public/components/history-part/privacy.js"
};
static const unsigned char file115[] = {
#embed "../SonaServer/Public/components/history-part/statistics.js"
};
static const unsigned char file116[] = {
#embed "../SonaServer/Public/components/home-page/home-page.js"
};
static const unsigned char file117[] = {
#embed "../SonaServer/Public/components/home-page/room-list.js"
};
static const unsigned char file118[] = {
#embed "../SonaServer/Public/components/host-page/device-field.js"
};
static const unsigned char file119[] = {
#embed "../SonaServer/Public/components/host-page/host-invites.js"
};
static const unsigned char file120[] = {
#embed "../SonaServer/Public/components/host-page/host-list.js"
};
static const unsigned char file121[] = {
#embed "../SonaServer/Public/components/host-page/host-page.css"
};
static const unsigned char file122[] = {
#embed "../SonaServer/Public/components/host-page/host-page.js"
};
static const unsigned char file123[] = {
#embed "../SonaServer/Public/components/host-page/host-part.js"
};
static const unsigned char file124[] = {
#embed "../SonaServer/Public/components/host-page/host-room.js"
};
static const unsigned char file125[] = {
#embed "../SonaServer/Public/components/host-page/host-setup.js"
};
static const unsigned char file126[] = {
#embed "../SonaServer/Public/components/host-page/host-stage.js"
};
static const unsigned char file127[] = {
#embed "../SonaServer/Public/components/host-page/host-talk.js"
};
static const unsigned char file128[] = {
#embed "../SonaServer/Public/components/host-page/host-voice.js"
};
static const unsigned char file129[] = {
#embed "../SonaServer/Public/components/host-page/on-air.js"
};
static const unsigned char file130[] = {
#embed "../SonaServer/Public/components/level-meter/level-meter.js"
};
static const unsigned char file131[] = {
#embed "../SonaServer/Public/components/library-page/library-page.js"
};
static const unsigned char file132[] = {
#embed "../SonaServer/Public/components/library-page/library.css"
};
static const unsigned char file133[] = {
#embed "../SonaServer/Public/components/library-page/music-page.js"
};
static const unsigned char file134[] = {
#embed "../SonaServer/Public/components/library-page/radio-button.js"
};
static const unsigned char file135[] = {
#embed "../SonaServer/Public/components/library-page/shuffled.js"
};
static const unsigned char file136[] = {
#embed "../SonaServer/Public/components/library-page/sorted-list.js"
};
static const unsigned char file137[] = {
#embed "../SonaServer/Public/components/library-page/views.js"
};
static const unsigned char file138[] = {
#embed "../SonaServer/Public/components/like-button/like-button.css"
};
static const unsigned char file139[] = {
#embed "../SonaServer/Public/components/like-button/like-button.js"
};
static const unsigned char file140[] = {
#embed "../SonaServer/Public/components/likes-part/likes-part.js"
};
static const unsigned char file141[] = {
#embed "../SonaServer/Public/components/lost-page/lost-page.js"
};
static const unsigned char file142[] = {
#embed "../SonaServer/Public/components/lyrics-view/lyrics-view.css"
};
static const unsigned char file143[] = {
#embed "../SonaServer/Public/components/lyrics-view/lyrics-view.js"
};
static const unsigned char file144[] = {
#embed "../SonaServer/Public/components/music-grid/music-card.js"
};
static const unsigned char file145[] = {
#embed "../SonaServer/Public/components/music-grid/music-grid.css"
};
static const unsigned char file146[] = {
#embed "../SonaServer/Public/components/music-grid/music-grid.js"
};
static const unsigned char file147[] = {
#embed "../SonaServer/Public/components/notice-bell/notice-bell.css"
};
static const unsigned char file148[] = {
#embed "../SonaServer/Public/components/notice-bell/notice-bell.js"
};
static const unsigned char file149[] = {
#embed "../SonaServer/Public/components/notice-bell/notice-dialog.js"
};
static const unsigned char file150[] = {
#embed "../SonaServer/Public/components/notice-bell/words.js"
};
static const unsigned char file151[] = {
#embed "../SonaServer/Public/components/outputs-dialog/device-list.css"
};
static const unsigned char file152[] = {
#embed "../SonaServer/Public/components/outputs-dialog/device-list.js"
};
static const unsigned char file153[] = {
#embed "../SonaServer/Public/components/outputs-dialog/outputs-dialog.js"
};
static const unsigned char file154[] = {
#embed "../SonaServer/Public/components/people-page/people-page.js"
};
static const unsigned char file155[] = {
#embed "../SonaServer/Public/components/people-page/person.js"
};
static const unsigned char file156[] = {
#embed "../SonaServer/Public/components/people-page/presence.js"
};
static const unsigned char file157[] = {
#embed "../SonaServer/Public/components/people-page/user-path.js"
};
static const unsigned char file158[] = {
#embed "../SonaServer/Public/components/photo-field/photo-field.js"
};
static const unsigned char file159[] = {
#embed "../SonaServer/Public/components/player-bar/player-bar.js"
};
static const unsigned char file160[] = {
#embed "../SonaServer/Public/components/player-bar/room-bar.js"
};
static const unsigned char file161[] = {
#embed "../SonaServer/Public/components/player-bar/solo-bar.js"
};
static const unsigned char file162[] = {
#embed "../SonaServer/Public/components/player-bar/together.js"
};
static const unsigned char file163[] = {
#embed "../SonaServer/Public/components/playing-page/playing-page.css"
};
static const unsigned char file164[] = {
#embed "../SonaServer/Public/components/playing-page/playing-page.js"
};
static const unsigned char file165[] = {
#embed "../SonaServer/Public/components/playing-page/playing-queue.js"
};
static const unsigned char file166[] = {
#embed "../SonaServer/Public/components/playing-page/sound-options.js"
};
static const unsigned char file167[] = {
#embed "../SonaServer/Public/components/playlist-dialog/add-dialog.js"
};
static const unsigned char file168[] = {
#embed "../SonaServer/Public/components/playlist-dialog/drop-tray.js"
};
static const unsigned char file169[] = {
#embed "../SonaServer/Public/components/playlist-dialog/edit-dialog.js"
};
static const unsigned char file170[] = {
#embed "../SonaServer/Public/components/playlist-dialog/files.js"
};
static const unsigned char file171[] = {
#embed "../SonaServer/Public/components/playlist-dialog/music-picker.js"
};
static const unsigned char file172[] = {
#embed "../SonaServer/Public/components/playlist-dialog/rule-form.css"
};
static const unsigned char file173[] = {
#embed "../SonaServer/Public/components/playlist-dialog/rule-form.js"
};
static const unsigned char file174[] = {
#embed "../SonaServer/Public/components/playlist-dialog/rule-row.js"
};
static const unsigned char file175[] = {
#embed "../SonaServer/Public/components/playlist-page/acts.js"
};
static const unsigned char file176[] = {
#embed "../SonaServer/Public/components/playlist-page/collaborators.js"
};
static const unsigned char file177[] = {
#embed "../SonaServer/Public/components/playlist-page/kept.js"
};
static const unsigned char file178[] = {
#embed "../SonaServer/Public/components/playlist-page/playlist-page.js"
};
static const unsigned char file179[] = {
#embed "../SonaServer/Public/components/playlist-page/playlist.css"
};
static const unsigned char file180[] = {
#embed "../SonaServer/Public/components/playlist-page/rule-words.js"
};
static const unsigned char file181[] = {
#embed "../SonaServer/Public/components/playlists-part/playlist-card.js"
};
static const unsigned char file182[] = {
#embed "../SonaServer/Public/components/playlists-part/playlists-part.js"
};
static const unsigned char file183[] = {
#embed "../SonaServer/Public/components/profile-page/profile-page.js"
};
static const unsigned char file184[] = {
#embed "../SonaServer/Public/components/rating-dialog/rating-dialog.js"
};
static const unsigned char file185[] = {
#embed "../SonaServer/Public/components/recover-page/code.js"
};
static const unsigned char file186[] = {
#embed "../SonaServer/Public/components/recover-page/recover-page.js"
};
static const unsigned char file187[] = {
#embed "../SonaServer/Public/components/replay-page/replay-list.js"
};
static const unsigned char file188[] = {
#embed "../SonaServer/Public/components/replay-page/replay-page.css"
};
static const unsigned char file189[] = {
#embed "../SonaServer/Public/components/replay-page/replay-page.js"
};
static const unsigned char file190[] = {
#embed "../SonaServer/Public/components/replay-page/replay-words.js"
};
static const unsigned char file191[] = {
#embed "../SonaServer/Public/components/requests-page/requests-page.css"
};
static const unsigned char file192[] = {
#embed "../SonaServer/Public/components/requests-page/requests-page.js"
};
static const unsigned char file193[] = {
#embed "../SonaServer/Public/components/room-card/room-card.js"
};
static const unsigned char file194[] = {
#embed "../SonaServer/Public/components/room-chat/chat-log.js"
};
static const unsigned char file195[] = {
#embed "../SonaServer/Public/components/room-chat/linked.js"
};
static const unsigned char file196[] = {
#embed "../SonaServer/Public/components/room-chat/room-chat.js"
};
static const unsigned char file197[] = {
#embed "../SonaServer/Public/components/room-history/audience-dialog.js"
};
static const unsigned char file198[] = {
#embed "../SonaServer/Public/components/room-history/recap-dialog.js"
};
static const unsigned char file199[] = {
#embed "../SonaServer/Public/components/room-history/room-history.js"
};
static const unsigned char file200[] = {
#embed "../SonaServer/Public/components/room-page/room-page.css"
};
static const unsigned char file201[] = {
#embed "../SonaServer/Public/components/room-page/room-page.js"
};
static const unsigned char file202[] = {
#embed "../SonaServer/Public/components/room-page/room-part.js"
};
static const unsigned char file203[] = {
#embed "../SonaServer/Public/components/room-page/room-settings.js"
};
static const unsigned char file204[] = {
#embed "../SonaServer/Public/components/room-page/room-shelf.js"
};
static const unsigned char file205[] = {
#embed "../SonaServer/Public/components/room-people/member-dialog.js"
};
static const unsigned char file206[] = {
#embed "../SonaServer/Public/components/room-people/meter-dialog.js"
};
static const unsigned char file207[] = {
#embed "../SonaServer/Public/components/room-people/room-people.js"
};
static const unsigned char file208[] = {
#embed "../SonaServer/Public/components/room-people/tools.js"
};
static const unsigned char file209[] = {
#embed "../SonaServer/Public/components/room-queue/autoplay-dialog.js"
};
static const unsigned char file210[] = {
#embed "../SonaServer/Public/components/room-queue/offered-playlists.js"
};
static const unsigned char file211[] = {
#embed "../SonaServer/Public/components/room-queue/queue-controls.js"
};
static const unsigned char file212[] = {
#embed "../SonaServer/Public/components/room-queue/room-queue.js"
};
static const unsigned char file213[] = {
#embed "../SonaServer/Public/components/room-queue/song-requests-dialog.js"
};
static const unsigned char file214[] = {
#embed "../SonaServer/Public/components/room-queue/track-picker.css"
};
static const unsigned char file215[] = {
#embed "../SonaServer/Public/components/room-queue/track-picker.js"
};
static const unsigned char file216[] = {
#embed "../SonaServer/Public/components/room-schedule/coming-up.js"
};
static const unsigned char file217[] = {
#embed "../SonaServer/Public/components/room-schedule/opening.js"
};
static const unsigned char file218[] = {
#embed "../SonaServer/Public/components/room-schedule/room-schedule.css"
};
static const unsigned char file219[] = {
#embed "../SonaServer/Public/components/room-schedule/schedule-dialog.js"
};
static const unsigned char file220[] = {
#embed "../SonaServer/Public/components/room-schedule/slot-form.js"
};
static const unsigned char file221[] = {
#embed "../SonaServer/Public/components/room-schedule/slot-words.js"
};
static const unsigned char file222[] = {
#embed "../SonaServer/Public/components/room-stage/name-plate.js"
};
static const unsigned char file223[] = {
#embed "../SonaServer/Public/components/room-stage/on-air.js"
};
static const unsigned char file224[] = {
#embed "../SonaServer/Public/components/room-stage/room-heart.js"
};
static const unsigned char file225[] = {
#embed "../SonaServer/Public/components/room-stage/room-stage.js"
};
static const unsigned char file226[] = {
#embed "../SonaServer/Public/components/room-stage/shift-row.js"
};
static const unsigned char file227[] = {
#embed "../SonaServer/Public/components/room-stage/sky.js"
};
static const unsigned char file228[] = {
#embed "../SonaServer/Public/components/rooms-page/duties.js"
};
static const unsigned char file229[] = {
#embed "../SonaServer/Public/components/rooms-page/public-switch.js"
};
static const unsigned char file230[] = {
#embed "../SonaServer/Public/components/rooms-page/rooms-page.js"
};
static const unsigned char file231[] = {
#embed "../SonaServer/Public/components/rooms-page/webhooks-dialog.js"
};
static const unsigned char file232[] = {
#embed "../SonaServer/Public/components/scrub-bar/scrub-bar.js"
};
static const unsigned char file233[] = {
#embed "../SonaServer/Public/components/search-page/recent.js"
};
static const unsigned char file234[] = {
#embed "../SonaServer/Public/components/search-page/search-page.js"
};
static const unsigned char file235[] = {
#embed "../SonaServer/Public/components/settings-page/scrobbling.js"
};
static const unsigned char file236[] = {
#embed "../SonaServer/Public/components/settings-page/settings-page.js"
};
static const unsigned char file237[] = {
#embed "../SonaServer/Public/components/setup-page/account-step.js"
};
static const unsigned char file238[] = {
#embed "../SonaServer/Public/components/setup-page/music-step.js"
};
static const unsigned char file239[] = {
#embed "../SonaServer/Public/components/setup-page/name-step.js"
};
static const unsigned char file240[] = {
#embed "../SonaServer/Public/components/setup-page/people-step.js"
};
static const unsigned char file241[] = {
#embed "../SonaServer/Public/components/setup-page/setup-page.css"
};
static const unsigned char file242[] = {
#embed "../SonaServer/Public/components/setup-page/setup-page.js"
};
static const unsigned char file243[] = {
#embed "../SonaServer/Public/components/share-dialog/other-players-dialog.js"
};
static const unsigned char file244[] = {
#embed "../SonaServer/Public/components/share-dialog/share-dialog.js"
};
static const unsigned char file245[] = {
#embed "../SonaServer/Public/components/share-dialog/share-music.js"
};
static const unsigned char file246[] = {
#embed "../SonaServer/Public/components/share-dialog/share.js"
};
static const unsigned char file247[] = {
#embed "../SonaServer/Public/components/share-dialog/speakers-part.js"
};
static const unsigned char file248[] = {
#embed "../SonaServer/Public/components/sign-in-page/sign-in-page.js"
};
static const unsigned char file249[] = {
#embed "../SonaServer/Public/components/sign-up-page/sign-up-page.js"
};
static const unsigned char file250[] = {
#embed "../SonaServer/Public/components/sync-meter/sync-meter.js"
};
static const unsigned char file251[] = {
#embed "../SonaServer/Public/components/tags-dialog/tags-dialog.css"
};
static const unsigned char file252[] = {
#embed "../SonaServer/Public/components/tags-dialog/tags-dialog.js"
};
static const unsigned char file253[] = {
#embed "../SonaServer/Public/components/track-list/column-heads.js"
};
static const unsigned char file254[] = {
#embed "../SonaServer/Public/components/track-list/drop-offer.js"
};
static const unsigned char file255[] = {
#embed "../SonaServer/Public/components/track-list/letter-rail.js"
};
static const unsigned char file256[] = {
#embed "../SonaServer/Public/components/track-list/selection.js"
};
static const unsigned char file257[] = {
#embed "../SonaServer/Public/components/track-list/track-list.css"
};
static const unsigned char file258[] = {
#embed "../SonaServer/Public/components/track-list/track-list.js"
};
static const unsigned char file259[] = {
#embed "../SonaServer/Public/components/track-list/track-row.js"
};
static const unsigned char file260[] = {
#embed "../SonaServer/Public/components/track-list/windowed.js"
};
static const unsigned char file261[] = {
#embed "../SonaServer/Public/components/track-menu/menu.js"
};
static const unsigned char file262[] = {
#embed "../SonaServer/Public/components/track-menu/submit-acts.js"
};
static const unsigned char file263[] = {
#embed "../SonaServer/Public/components/track-menu/track-acts.js"
};
static const unsigned char file264[] = {
#embed "../SonaServer/Public/components/track-menu/track-menu.css"
};
static const unsigned char file265[] = {
#embed "../SonaServer/Public/components/track-menu/track-menu.js"
};
static const unsigned char file266[] = {
#embed "../SonaServer/Public/components/track-page/track-page.js"
};
static const unsigned char file267[] = {
#embed "../SonaServer/Public/components/track-page/wave-picture.js"
};
static const unsigned char file268[] = {
#embed "../SonaServer/Public/components/upload-tray/bring.js"
};
static const unsigned char file269[] = {
#embed "../SonaServer/Public/components/upload-tray/upload-rows.js"
};
static const unsigned char file270[] = {
#embed "../SonaServer/Public/components/upload-tray/upload-tray.css"
};
static const unsigned char file271[] = {
#embed "../SonaServer/Public/components/upload-tray/upload-tray.js"
};
static const unsigned char file272[] = {
#embed "../SonaServer/Public/components/uploads-part/own-tracks.js"
};
static const unsigned char file273[] = {
#embed "../SonaServer/Public/components/uploads-part/preparing.js"
};
static const unsigned char file274[] = {
#embed "../SonaServer/Public/components/uploads-part/review-card.js"
};
static const unsigned char file275[] = {
#embed "../SonaServer/Public/components/uploads-part/track-list.js"
};
static const unsigned char file276[] = {
#embed "../SonaServer/Public/components/uploads-part/unfinished.js"
};
static const unsigned char file277[] = {
#embed "../SonaServer/Public/components/uploads-part/uploads-part.css"
};
static const unsigned char file278[] = {
#embed "../SonaServer/Public/components/uploads-part/uploads-part.js"
};
static const unsigned char file279[] = {
#embed "../SonaServer/Public/components/user-page/user-page.js"
};
static const unsigned char file280[] = {
#embed "../SonaServer/Public/components/user-page/user-playlists.js"
};
static const unsigned char file281[] = {
#embed "../SonaServer/Public/components/username-page/username-page.js"
};
static const unsigned char file282[] = {
#embed "../SonaServer/Public/components/visualizer/scenes.js"
};
static const unsigned char file283[] = {
#embed "../SonaServer/Public/components/visualizer/visual-button.js"
};
static const unsigned char file284[] = {
#embed "../SonaServer/Public/components/visualizer/visualizer.css"
};
static const unsigned char file285[] = {
#embed "../SonaServer/Public/components/visualizer/visualizer.js"
};
static const unsigned char file286[] = {
#embed "../SonaServer/Public/icons/icon-192.png"
};
static const unsigned char file287[] = {
#embed "../SonaServer/Public/icons/icon-512.png"
};
static const unsigned char file288[] = {
#embed "../SonaServer/Public/icons/icon-maskable-512.png"
};
static const unsigned char file289[] = {
#embed "../SonaServer/Public/icons/icon.svg"
};
static const unsigned char file290[] = {
#embed "../SonaServer/Public/index.html"
};
static const unsigned char file291[] = {
#embed "../SonaServer/Public/locales/about.en.json"
};
static const unsigned char file292[] = {
#embed "../SonaServer/Public/locales/about.es.json"
};
static const unsigned char file293[] = {
#embed "../SonaServer/Public/locales/about.pl.json"
};
static const unsigned char file294[] = {
#embed "../SonaServer/Public/locales/admin.en.json"
};
static const unsigned char file295[] = {
#embed "../SonaServer/Public/locales/admin.es.json"
};
static const unsigned char file296[] = {
#embed "../SonaServer/Public/locales/admin.pl.json"
};
static const unsigned char file297[] = {
#embed "../SonaServer/Public/locales/apps.en.json"
};
static const unsigned char file298[] = {
#embed "../SonaServer/Public/locales/apps.es.json"
};
static const unsigned char file299[] = {
#embed "../SonaServer/Public/locales/apps.pl.json"
};
static const unsigned char file300[] = {
#embed "../SonaServer/Public/locales/asking.en.json"
};
static const unsigned char file301[] = {
#embed "../SonaServer/Public/locales/asking.es.json"
};
static const unsigned char file302[] = {
#embed "../SonaServer/Public/locales/asking.pl.json"
};
static const unsigned char file303[] = {
#embed "../SonaServer/Public/locales/audience.en.json"
};
static const unsigned char file304[] = {
#embed "../SonaServer/Public/locales/audience.es.json"
};
static const unsigned char file305[] = {
#embed "../SonaServer/Public/locales/audience.pl.json"
};
static const unsigned char file306[] = {
#embed "../SonaServer/Public/locales/en.json"
};
static const unsigned char file307[] = {
#embed "../SonaServer/Public/locales/errors.en.json"
};
static const unsigned char file308[] = {
#embed "../SonaServer/Public/locales/errors.es.json"
};
static const unsigned char file309[] = {
#embed "../SonaServer/Public/locales/errors.pl.json"
};
static const unsigned char file310[] = {
#embed "../SonaServer/Public/locales/es.json"
};
static const unsigned char file311[] = {
#embed "../SonaServer/Public/locales/friends.en.json"
};
static const unsigned char file312[] = {
#embed "../SonaServer/Public/locales/friends.es.json"
};
static const unsigned char file313[] = {
#embed "../SonaServer/Public/locales/friends.pl.json"
};
static const unsigned char file314[] = {
#embed "../SonaServer/Public/locales/heard.en.json"
};
static const unsigned char file315[] = {
#embed "../SonaServer/Public/locales/heard.es.json"
};
static const unsigned char file316[] = {
#embed "../SonaServer/Public/locales/heard.pl.json"
};
static const unsigned char file317[] = {
#embed "../SonaServer/Public/locales/host.en.json"
};
static const unsigned char file318[] = {
#embed "../SonaServer/Public/locales/host.es.json"
};
static const unsigned char file319[] = {
#embed "../SonaServer/Public/locales/host.pl.json"
};
static const unsigned char file320[] = {
#embed "../SonaServer/Public/locales/liked.en.json"
};
static const unsigned char file321[] = {
#embed "../SonaServer/Public/locales/liked.es.json"
};
static const unsigned char file322[] = {
#embed "../SonaServer/Public/locales/liked.pl.json"
};
static const unsigned char file323[] = {
#embed "../SonaServer/Public/locales/lyrics.en.json"
};
static const unsigned char file324[] = {
#embed "../SonaServer/Public/locales/lyrics.es.json"
};
static const unsigned char file325[] = {
#embed "../SonaServer/Public/locales/lyrics.pl.json"
};
static const unsigned char file326[] = {
#embed "../SonaServer/Public/locales/music.en.json"
};
static const unsigned char file327[] = {
#embed "../SonaServer/Public/locales/music.es.json"
};
static const unsigned char file328[] = {
#embed "../SonaServer/Public/locales/music.pl.json"
};
static const unsigned char file329[] = {
#embed "../SonaServer/Public/locales/notices.en.json"
};
static const unsigned char file330[] = {
#embed "../SonaServer/Public/locales/notices.es.json"
};
static const unsigned char file331[] = {
#embed "../SonaServer/Public/locales/notices.pl.json"
};
static const unsigned char file332[] = {
#embed "../SonaServer/Public/locales/offline.en.json"
};
static const unsigned char file333[] = {
#embed "../SonaServer/Public/locales/offline.es.json"
};
static const unsigned char file334[] = {
#embed "../SonaServer/Public/locales/offline.pl.json"
};
static const unsigned char file335[] = {
#embed "../SonaServer/Public/locales/operator.en.json"
};
static const unsigned char file336[] = {
#embed "../SonaServer/Public/locales/operator.es.json"
};
static const unsigned char file337[] = {
#embed "../SonaServer/Public/locales/operator.pl.json"
};
static const unsigned char file338[] = {
#embed "../SonaServer/Public/locales/order.en.json"
};
static const unsigned char file339[] = {
#embed "../SonaServer/Public/locales/order.es.json"
};
static const unsigned char file340[] = {
#embed "../SonaServer/Public/locales/order.pl.json"
};
static const unsigned char file341[] = {
#embed "../SonaServer/Public/locales/pl.json"
};
static const unsigned char file342[] = {
#embed "../SonaServer/Public/locales/players.en.json"
};
static const unsigned char file343[] = {
#embed "../SonaServer/Public/locales/players.es.json"
};
static const unsigned char file344[] = {
#embed "../SonaServer/Public/locales/players.pl.json"
};
static const unsigned char file345[] = {
#embed "../SonaServer/Public/locales/playlists.en.json"
};
static const unsigned char file346[] = {
#embed "../SonaServer/Public/locales/playlists.es.json"
};
static const unsigned char file347[] = {
#embed "../SonaServer/Public/locales/playlists.pl.json"
};
static const unsigned char file348[] = {
#embed "../SonaServer/Public/locales/replays.en.json"
};
static const unsigned char file349[] = {
#embed "../SonaServer/Public/locales/replays.es.json"
};
static const unsigned char file350[] = {
#embed "../SonaServer/Public/locales/replays.pl.json"
};
static const unsigned char file351[] = {
#embed "../SonaServer/Public/locales/room.en.json"
};
static const unsigned char file352[] = {
#embed "../SonaServer/Public/locales/room.es.json"
};
static const unsigned char file353[] = {
#embed "../SonaServer/Public/locales/room.pl.json"
};
static const unsigned char file354[] = {
#embed "../SonaServer/Public/locales/schedule.en.json"
};
static const unsigned char file355[] = {
#embed "../SonaServer/Public/locales/schedule.es.json"
};
static const unsigned char file356[] = {
#embed "../SonaServer/Public/locales/schedule.pl.json"
};
static const unsigned char file357[] = {
#embed "../SonaServer/Public/locales/scrobbling.en.json"
};
static const unsigned char file358[] = {
#embed "../SonaServer/Public/locales/scrobbling.es.json"
};
static const unsigned char file359[] = {
#embed "../SonaServer/Public/locales/scrobbling.pl.json"
};
static const unsigned char file360[] = {
#embed "../SonaServer/Public/locales/setup.en.json"
};
static const unsigned char file361[] = {
#embed "../SonaServer/Public/locales/setup.es.json"
};
static const unsigned char file362[] = {
#embed "../SonaServer/Public/locales/setup.pl.json"
};
static const unsigned char file363[] = {
#embed "../SonaServer/Public/locales/sharing.en.json"
};
static const unsigned char file364[] = {
#embed "../SonaServer/Public/locales/sharing.es.json"
};
static const unsigned char file365[] = {
#embed "../SonaServer/Public/locales/sharing.pl.json"
};
static const unsigned char file366[] = {
#embed "../SonaServer/Public/locales/shift.en.json"
};
static const unsigned char file367[] = {
#embed "../SonaServer/Public/locales/shift.es.json"
};
static const unsigned char file368[] = {
#embed "../SonaServer/Public/locales/shift.pl.json"
};
static const unsigned char file369[] = {
#embed "../SonaServer/Public/locales/solo.en.json"
};
static const unsigned char file370[] = {
#embed "../SonaServer/Public/locales/solo.es.json"
};
static const unsigned char file371[] = {
#embed "../SonaServer/Public/locales/solo.pl.json"
};
static const unsigned char file372[] = {
#embed "../SonaServer/Public/locales/submitted.en.json"
};
static const unsigned char file373[] = {
#embed "../SonaServer/Public/locales/submitted.es.json"
};
static const unsigned char file374[] = {
#embed "../SonaServer/Public/locales/submitted.pl.json"
};
static const unsigned char file375[] = {
#embed "../SonaServer/Public/locales/uploads.en.json"
};
static const unsigned char file376[] = {
#embed "../SonaServer/Public/locales/uploads.es.json"
};
static const unsigned char file377[] = {
#embed "../SonaServer/Public/locales/uploads.pl.json"
};
static const unsigned char file378[] = {
#embed "../SonaServer/Public/locales/webhooks.en.json"
};
static const unsigned char file379[] = {
#embed "../SonaServer/Public/locales/webhooks.es.json"
};
static const unsigned char file380[] = {
#embed "../SonaServer/Public/locales/webhooks.pl.json"
};
static const unsigned char file381[] = {
#embed "../SonaServer/Public/main.js"
};
static const unsigned char file382[] = {
#embed "../SonaServer/Public/manifest.webmanifest"
};
static const unsigned char file383[] = {
#embed "../SonaServer/Public/router.js"
};
static const unsigned char file384[] = {
#embed "../SonaServer/Public/shell/ago.js"
};
static const unsigned char file385[] = {
#embed "../SonaServer/Public/shell/dialogs.js"
};
static const unsigned char file386[] = {
#embed "../SonaServer/Public/shell/dom.js"
};
static const unsigned char file387[] = {
#embed "../SonaServer/Public/shell/first-screen.js"
};
static const unsigned char file388[] = {
#embed "../SonaServer/Public/shell/forms.js"
};
static const unsigned char file389[] = {
#embed "../SonaServer/Public/shell/host-offers.js"
};
static const unsigned char file390[] = {
#embed "../SonaServer/Public/shell/icons.js"
};
static const unsigned char file391[] = {
#embed "../SonaServer/Public/shell/keys.js"
};
static const unsigned char file392[] = {
#embed "../SonaServer/Public/shell/looks.js"
};
static const unsigned char file393[] = {
#embed "../SonaServer/Public/shell/open-reports.js"
};
static const unsigned char file394[] = {
#embed "../SonaServer/Public/shell/page.js"
};
static const unsigned char file395[] = {
#embed "../SonaServer/Public/shell/policy.js"
};
static const unsigned char file396[] = {
#embed "../SonaServer/Public/shell/report.js"
};
static const unsigned char file397[] = {
#embed "../SonaServer/Public/shell/room-offers.js"
};
static const unsigned char file398[] = {
#embed "../SonaServer/Public/shell/shell.js"
};
static const unsigned char file399[] = {
#embed "../SonaServer/Public/shell/times.js"
};
static const unsigned char file400[] = {
#embed "../SonaServer/Public/shell/toasts.js"
};
static const unsigned char file401[] = {
#embed "../SonaServer/Public/shell/undo.js"
};
static const unsigned char file402[] = {
#embed "../SonaServer/Public/shell/upload-drops.js"
};
static const unsigned char file403[] = {
#embed "../SonaServer/Public/shell/username-field.js"
};
static const unsigned char file404[] = {
#embed "../SonaServer/Public/store/backoff.js"
};
static const unsigned char file405[] = {
#embed "../SonaServer/Public/store/credentials.js"
};
static const unsigned char file406[] = {
#embed "../SonaServer/Public/store/cursor-rows.js"
};
static const unsigned char file407[] = {
#embed "../SonaServer/Public/store/handover.js"
};
static const unsigned char file408[] = {
#embed "../SonaServer/Public/store/host.js"
};
static const unsigned char file409[] = {
#embed "../SonaServer/Public/store/hosting/commands.js"
};
static const unsigned char file410[] = {
#embed "../SonaServer/Public/store/hosting/covers.js"
};
static const unsigned char file411[] = {
#embed "../SonaServer/Public/store/hosting/epochs.js"
};
static const unsigned char file412[] = {
#embed "../SonaServer/Public/store/hosting/follower.js"
};
static const unsigned char file413[] = {
#embed "../SonaServer/Public/store/hosting/inputs.js"
};
static const unsigned char file414[] = {
#embed "../SonaServer/Public/store/hosting/keeping.js"
};
static const unsigned char file415[] = {
#embed "../SonaServer/Public/store/hosting/library-song.js"
};
static const unsigned char file416[] = {
#embed "../SonaServer/Public/store/hosting/places.js"
};
static const unsigned char file417[] = {
#embed "../SonaServer/Public/store/hosting/playlist.js"
};
static const unsigned char file418[] = {
#embed "../SonaServer/Public/store/hosting/seat.js"
};
static const unsigned char file419[] = {
#embed "../SonaServer/Public/store/hosting/shelf.js"
};
static const unsigned char file420[] = {
#embed "../SonaServer/Public/store/hosting/sounds.js"
};
static const unsigned char file421[] = {
#embed "../SonaServer/Public/store/hosting/turns.js"
};
static const unsigned char file422[] = {
#embed "../SonaServer/Public/store/hosting/upload.js"
};
static const unsigned char file423[] = {
#embed "../SonaServer/Public/store/i18n.js"
};
static const unsigned char file424[] = {
#embed "../SonaServer/Public/store/keep-listening.js"
};
static const unsigned char file425[] = {
#embed "../SonaServer/Public/store/library-rows.js"
};
static const unsigned char file426[] = {
#embed "../SonaServer/Public/store/library.js"
};
static const unsigned char file427[] = {
#embed "../SonaServer/Public/store/likes.js"
};
static const unsigned char file428[] = {
#embed "../SonaServer/Public/store/line.js"
};
static const unsigned char file429[] = {
#embed "../SonaServer/Public/store/me.js"
};
static const unsigned char file430[] = {
#embed "../SonaServer/Public/store/moments.js"
};
static const unsigned char file431[] = {
#embed "../SonaServer/Public/store/notices.js"
};
static const unsigned char file432[] = {
#embed "../SonaServer/Public/store/offline.js"
};
static const unsigned char file433[] = {
#embed "../SonaServer/Public/store/offline/shelf.js"
};
static const unsigned char file434[] = {
#embed "../SonaServer/Public/store/patient.js"
};
static const unsigned char file435[] = {
#embed "../SonaServer/Public/store/player.js"
};
static const unsigned char file436[] = {
#embed "../SonaServer/Public/store/playlist-rows.js"
};
static const unsigned char file437[] = {
#embed "../SonaServer/Public/store/playlists.js"
};
static const unsigned char file438[] = {
#embed "../SonaServer/Public/store/presets.js"
};
static const unsigned char file439[] = {
#embed "../SonaServer/Public/store/queue.js"
};
static const unsigned char file440[] = {
#embed "../SonaServer/Public/store/replay-recordings.js"
};
static const unsigned char file441[] = {
#embed "../SonaServer/Public/store/replay.js"
};
static const unsigned char file442[] = {
#embed "../SonaServer/Public/store/reversed-rows.js"
};
static const unsigned char file443[] = {
#embed "../SonaServer/Public/store/room.js"
};
static const unsigned char file444[] = {
#embed "../SonaServer/Public/store/rules.js"
};
static const unsigned char file445[] = {
#embed "../SonaServer/Public/store/server.js"
};
static const unsigned char file446[] = {
#embed "../SonaServer/Public/store/session.js"
};
static const unsigned char file447[] = {
#embed "../SonaServer/Public/store/sessions.js"
};
static const unsigned char file448[] = {
#embed "../SonaServer/Public/store/settings.js"
};
static const unsigned char file449[] = {
#embed "../SonaServer/Public/store/shift.js"
};
static const unsigned char file450[] = {
#embed "../SonaServer/Public/store/solo.js"
};
static const unsigned char file451[] = {
#embed "../SonaServer/Public/store/solo/device.js"
};
static const unsigned char file452[] = {
#embed "../SonaServer/Public/store/solo/kept-queue.js"
};
static const unsigned char file453[] = {
#embed "../SonaServer/Public/store/solo/play-order.js"
};
static const unsigned char file454[] = {
#embed "../SonaServer/Public/store/solo/plays.js"
};
static const unsigned char file455[] = {
#embed "../SonaServer/Public/store/solo/shared-player.js"
};
static const unsigned char file456[] = {
#embed "../SonaServer/Public/store/solo/words.js"
};
static const unsigned char file457[] = {
#embed "../SonaServer/Public/store/submissions.js"
};
static const unsigned char file458[] = {
#embed "../SonaServer/Public/store/track-changes.js"
};
static const unsigned char file459[] = {
#embed "../SonaServer/Public/store/tracks.js"
};
static const unsigned char file460[] = {
#embed "../SonaServer/Public/store/uploads.js"
};
static const unsigned char file461[] = {
#embed "../SonaServer/Public/store/uploads/amounts.js"
};
static const unsigned char file462[] = {
#embed "../SonaServer/Public/store/uploads/backoff.js"
};
static const unsigned char file463[] = {
#embed "../SonaServer/Public/store/uploads/fingerprint.js"
};
static const unsigned char file464[] = {
#embed "../SonaServer/Public/store/uploads/hash-worker.js"
};
static const unsigned char file465[] = {
#embed "../SonaServer/Public/store/uploads/item.js"
};
static const unsigned char file466[] = {
#embed "../SonaServer/Public/store/uploads/keeping.js"
};
static const unsigned char file467[] = {
#embed "../SonaServer/Public/store/uploads/leftovers.js"
};
static const unsigned char file468[] = {
#embed "../SonaServer/Public/store/uploads/oddities.js"
};
static const unsigned char file469[] = {
#embed "../SonaServer/Public/store/uploads/pieces.js"
};
static const unsigned char file470[] = {
#embed "../SonaServer/Public/store/uploads/shelf.js"
};
static const unsigned char file471[] = {
#embed "../SonaServer/Public/store/uploads/speed.js"
};
static const unsigned char file472[] = {
#embed "../SonaServer/Public/store/uploads/tags.js"
};
static const unsigned char file473[] = {
#embed "../SonaServer/Public/store/uploads/taking.js"
};
static const unsigned char file474[] = {
#embed "../SonaServer/Public/store/uploads/transfer.js"
};
static const unsigned char file475[] = {
#embed "../SonaServer/Public/store/uploads/tus.js"
};
static const unsigned char file476[] = {
#embed "../SonaServer/Public/styles/base.css"
};
static const unsigned char file477[] = {
#embed "../SonaServer/Public/styles/pages.css"
};
static const unsigned char file478[] = {
#embed "../SonaServer/Public/styles/shell.css"
};
static const unsigned char file479[] = {
#embed "../SonaServer/Public/styles/tokens.css"
};
static const unsigned char file480[] = {
#embed "../SonaServer/Public/sw.js"
};
static const unsigned char file481[] = {
#embed "../SonaServer/Public/wire/clock.js"
};
static const unsigned char file482[] = {
#embed "../SonaServer/Public/wire/frames.js"
};
static const unsigned char file483[] = {
#embed "../SonaServer/Public/wire/host-frames.js"
};
static const unsigned char file484[] = {
#embed "../SonaServer/Public/wire/ogg.js"
};
static const unsigned char file485[] = {
#embed "../SonaServer/Public/wire/opus.js"
};
static const unsigned char file486[] = {
#embed "../SonaServer/Public/wire/playback.js"
};
static const unsigned char file487[] = {
#embed "../SonaServer/Public/wire/qr.js"
};

static const struct sona_site_file files[] = {
    {"audio/buffer-output.js", file0, sizeof file0},
    {"audio/context-clock.js", file1, sizeof file1},
    {"audio/decoder-worker.js", file2, sizeof file2},
    {"audio/engine.js", file3, sizeof file3},
    {"audio/graph.js", file4, sizeof file4},
    {"audio/hosting/capture-worklet.js", file5, sizeof file5},
    {"audio/hosting/capture.js", file6, sizeof file6},
    {"audio/hosting/dropped.js", file7, sizeof file7},
    {"audio/hosting/encoder-worker.js", file8, sizeof file8},
    {"audio/hosting/encoder.js", file9, sizeof file9},
    {"audio/hosting/files.js", file10, sizeof file10},
    {"audio/hosting/id3.js", file11, sizeof file11},
    {"audio/hosting/mixing.js", file12, sizeof file12},
    {"audio/hosting/mp3.js", file13, sizeof file13},
    {"audio/hosting/mp4.js", file14, sizeof file14},
    {"audio/hosting/not-loaded.js", file15, sizeof file15},
    {"audio/hosting/ogg-opus.js", file16, sizeof file16},
    {"audio/hosting/tags.js", file17, sizeof file17},
    {"audio/hosting/takes.js", file18, sizeof file18},
    {"audio/hosting/vorbis-comments.js", file19, sizeof file19},
    {"audio/interpolator.js", file20, sizeof file20},
    {"audio/media-session.js", file21, sizeof file21},
    {"audio/meter.js", file22, sizeof file22},
    {"audio/outputs.js", file23, sizeof file23},
    {"audio/packet-shelf.js", file24, sizeof file24},
    {"audio/pieces.js", file25, sizeof file25},
    {"audio/rate.js", file26, sizeof file26},
    {"audio/renderer-worklet.js", file27, sizeof file27},
    {"audio/renderer.js", file28, sizeof file28},
    {"audio/solo/addresses.js", file29, sizeof file29},
    {"audio/solo/decks.js", file30, sizeof file30},
    {"audio/solo/decode.js", file31, sizeof file31},
    {"audio/solo/element-deck.js", file32, sizeof file32},
    {"audio/solo/keys.js", file33, sizeof file33},
    {"audio/solo/loudness.js", file34, sizeof file34},
    {"audio/solo/ogg-reader.js", file35, sizeof file35},
    {"audio/solo/page-deck.js", file36, sizeof file36},
    {"audio/solo/sound.js", file37, sizeof file37},
    {"audio/solo/voice.js", file38, sizeof file38},
    {"audio/step-clock.js", file39, sizeof file39},
    {"audio/stretcher.js", file40, sizeof file40},
    {"audio/timeline.js", file41, sizeof file41},
    {"audio/worklet-output.js", file42, sizeof file42},
    {"client.js", file43, sizeof file43},
    {"client/README.md", file44, sizeof file44},
    {"client/examples/chat.html", file45, sizeof file45},
    {"client/examples/chat.js", file46, sizeof file46},
    {"client/examples/examples.css", file47, sizeof file47},
    {"client/examples/listen.html", file48, sizeof file48},
    {"client/examples/listen.js", file49, sizeof file49},
    {"client/examples/rooms.html", file50, sizeof file50},
    {"client/examples/rooms.js", file51, sizeof file51},
    {"components/about-server/about-server.css", file52, sizeof file52},
    {"components/about-server/about-server.js", file53, sizeof file53},
    {"components/account-page/account-page.js", file54, sizeof file54},
    {"components/account-page/app-passwords.js", file55, sizeof file55},
    {"components/account-page/proof.js", file56, sizeof file56},
    {"components/admin-page/acts.js", file57, sizeof file57},
    {"components/admin-page/admin-bans.js", file58, sizeof file58},
    {"components/admin-page/admin-content.js", file59, sizeof file59},
    {"components/admin-page/admin-folders.js", file60, sizeof file60},
    {"components/admin-page/admin-jobs.js", file61, sizeof file61},
    {"components/admin-page/admin-journal.js", file62, sizeof file62},
    {"components/admin-page/admin-page.css", file63, sizeof file63},
    {"components/admin-page/admin-page.js", file64, sizeof file64},
    {"components/admin-page/admin-plans.js", file65, sizeof file65},
    {"components/admin-page/admin-registration.js", file66, sizeof file66},
    {"components/admin-page/admin-reports.js", file67, sizeof file67},
    {"components/admin-page/admin-rooms.js", file68, sizeof file68},
    {"components/admin-page/admin-server.js", file69, sizeof file69},
    {"components/admin-page/admin-storage.js", file70, sizeof file70},
    {"components/admin-page/admin-submissions.css", file71, sizeof file71},
    {"components/admin-page/admin-submissions.js", file72, sizeof file72},
    {"components/admin-page/admin-users.js", file73, sizeof file73},
    {"components/admin-page/admin-words.js", file74, sizeof file74},
    {"components/admin-page/figure-chart.js", file75, sizeof file75},
    {"components/admin-page/figures.css", file76, sizeof file76},
    {"components/admin-page/folder-card.js", file77, sizeof file77},
    {"components/admin-page/folder-help.js", file78, sizeof file78},
    {"components/admin-page/operating.css", file79, sizeof file79},
    {"components/admin-page/parts.js", file80, sizeof file80},
    {"components/admin-page/people-picker.js", file81, sizeof file81},
    {"components/admin-page/polling.js", file82, sizeof file82},
    {"components/admin-page/server-figures.js", file83, sizeof file83},
    {"components/album-page/album-page.js", file84, sizeof file84},
    {"components/artist-page/artist-page.js", file85, sizeof file85},
    {"components/avatar/avatar.js", file86, sizeof file86},
    {"components/car-page/car-page.css", file87, sizeof file87},
    {"components/car-page/car-page.js", file88, sizeof file88},
    {"components/confirm-page/confirm-page.js", file89, sizeof file89},
    {"components/cover/color.js", file90, sizeof file90},
    {"components/cover/cover.js", file91, sizeof file91},
    {"components/cover/mosaic.js", file92, sizeof file92},
    {"components/cover/music-cover.js", file93, sizeof file93},
    {"components/display-page/display-page.css", file94, sizeof file94},
    {"components/display-page/display-page.js", file95, sizeof file95},
    {"components/drop-veil/drop-veil.css", file96, sizeof file96},
    {"components/drop-veil/drop-veil.js", file97, sizeof file97},
    {"components/embed-page/embed-page.css", file98, sizeof file98},
    {"components/embed-page/embed-page.js", file99, sizeof file99},
    {"components/equalizer/equalizer.js", file100, sizeof file100},
    {"components/equalizer/preset-row.js", file101, sizeof file101},
    {"components/explore-shelves/explore-shelves.js", file102, sizeof file102},
    {"components/explore-shelves/shelf.css", file103, sizeof file103},
    {"components/explore-shelves/shelf.js", file104, sizeof file104},
    {"components/friends-page/feed.js", file105, sizeof file105},
    {"components/friends-page/friends-page.css", file106, sizeof file106},
    {"components/friends-page/friends-page.js", file107, sizeof file107},
    {"components/friends-page/friends-shelf.js", file108, sizeof file108},
    {"components/friends-page/in-common.js", file109, sizeof file109},
    {"components/genre-page/genre-page.js", file110, sizeof file110},
    {"components/history-part/consents.js", file111, sizeof file111},
    {"components/history-part/history-part.css", file112, sizeof file112},
    {"components/history-part/history-part.js", file113, sizeof file113},
    {"components/history-part/privacy.js", file114, sizeof file114},
    {"components/history-part/statistics.js", file115, sizeof file115},
    {"components/home-page/home-page.js", file116, sizeof file116},
    {"components/home-page/room-list.js", file117, sizeof file117},
    {"components/host-page/device-field.js", file118, sizeof file118},
    {"components/host-page/host-invites.js", file119, sizeof file119},
    {"components/host-page/host-list.js", file120, sizeof file120},
    {"components/host-page/host-page.css", file121, sizeof file121},
    {"components/host-page/host-page.js", file122, sizeof file122},
    {"components/host-page/host-part.js", file123, sizeof file123},
    {"components/host-page/host-room.js", file124, sizeof file124},
    {"components/host-page/host-setup.js", file125, sizeof file125},
    {"components/host-page/host-stage.js", file126, sizeof file126},
    {"components/host-page/host-talk.js", file127, sizeof file127},
    {"components/host-page/host-voice.js", file128, sizeof file128},
    {"components/host-page/on-air.js", file129, sizeof file129},
    {"components/level-meter/level-meter.js", file130, sizeof file130},
    {"components/library-page/library-page.js", file131, sizeof file131},
    {"components/library-page/library.css", file132, sizeof file132},
    {"components/library-page/music-page.js", file133, sizeof file133},
    {"components/library-page/radio-button.js", file134, sizeof file134},
    {"components/library-page/shuffled.js", file135, sizeof file135},
    {"components/library-page/sorted-list.js", file136, sizeof file136},
    {"components/library-page/views.js", file137, sizeof file137},
    {"components/like-button/like-button.css", file138, sizeof file138},
    {"components/like-button/like-button.js", file139, sizeof file139},
    {"components/likes-part/likes-part.js", file140, sizeof file140},
    {"components/lost-page/lost-page.js", file141, sizeof file141},
    {"components/lyrics-view/lyrics-view.css", file142, sizeof file142},
    {"components/lyrics-view/lyrics-view.js", file143, sizeof file143},
    {"components/music-grid/music-card.js", file144, sizeof file144},
    {"components/music-grid/music-grid.css", file145, sizeof file145},
    {"components/music-grid/music-grid.js", file146, sizeof file146},
    {"components/notice-bell/notice-bell.css", file147, sizeof file147},
    {"components/notice-bell/notice-bell.js", file148, sizeof file148},
    {"components/notice-bell/notice-dialog.js", file149, sizeof file149},
    {"components/notice-bell/words.js", file150, sizeof file150},
    {"components/outputs-dialog/device-list.css", file151, sizeof file151},
    {"components/outputs-dialog/device-list.js", file152, sizeof file152},
    {"components/outputs-dialog/outputs-dialog.js", file153, sizeof file153},
    {"components/people-page/people-page.js", file154, sizeof file154},
    {"components/people-page/person.js", file155, sizeof file155},
    {"components/people-page/presence.js", file156, sizeof file156},
    {"components/people-page/user-path.js", file157, sizeof file157},
    {"components/photo-field/photo-field.js", file158, sizeof file158},
    {"components/player-bar/player-bar.js", file159, sizeof file159},
    {"components/player-bar/room-bar.js", file160, sizeof file160},
    {"components/player-bar/solo-bar.js", file161, sizeof file161},
    {"components/player-bar/together.js", file162, sizeof file162},
    {"components/playing-page/playing-page.css", file163, sizeof file163},
    {"components/playing-page/playing-page.js", file164, sizeof file164},
    {"components/playing-page/playing-queue.js", file165, sizeof file165},
    {"components/playing-page/sound-options.js", file166, sizeof file166},
    {"components/playlist-dialog/add-dialog.js", file167, sizeof file167},
    {"components/playlist-dialog/drop-tray.js", file168, sizeof file168},
    {"components/playlist-dialog/edit-dialog.js", file169, sizeof file169},
    {"components/playlist-dialog/files.js", file170, sizeof file170},
    {"components/playlist-dialog/music-picker.js", file171, sizeof file171},
    {"components/playlist-dialog/rule-form.css", file172, sizeof file172},
    {"components/playlist-dialog/rule-form.js", file173, sizeof file173},
    {"components/playlist-dialog/rule-row.js", file174, sizeof file174},
    {"components/playlist-page/acts.js", file175, sizeof file175},
    {"components/playlist-page/collaborators.js", file176, sizeof file176},
    {"components/playlist-page/kept.js", file177, sizeof file177},
    {"components/playlist-page/playlist-page.js", file178, sizeof file178},
    {"components/playlist-page/playlist.css", file179, sizeof file179},
    {"components/playlist-page/rule-words.js", file180, sizeof file180},
    {"components/playlists-part/playlist-card.js", file181, sizeof file181},
    {"components/playlists-part/playlists-part.js", file182, sizeof file182},
    {"components/profile-page/profile-page.js", file183, sizeof file183},
    {"components/rating-dialog/rating-dialog.js", file184, sizeof file184},
    {"components/recover-page/code.js", file185, sizeof file185},
    {"components/recover-page/recover-page.js", file186, sizeof file186},
    {"components/replay-page/replay-list.js", file187, sizeof file187},
    {"components/replay-page/replay-page.css", file188, sizeof file188},
    {"components/replay-page/replay-page.js", file189, sizeof file189},
    {"components/replay-page/replay-words.js", file190, sizeof file190},
    {"components/requests-page/requests-page.css", file191, sizeof file191},
    {"components/requests-page/requests-page.js", file192, sizeof file192},
    {"components/room-card/room-card.js", file193, sizeof file193},
    {"components/room-chat/chat-log.js", file194, sizeof file194},
    {"components/room-chat/linked.js", file195, sizeof file195},
    {"components/room-chat/room-chat.js", file196, sizeof file196},
    {"components/room-history/audience-dialog.js", file197, sizeof file197},
    {"components/room-history/recap-dialog.js", file198, sizeof file198},
    {"components/room-history/room-history.js", file199, sizeof file199},
    {"components/room-page/room-page.css", file200, sizeof file200},
    {"components/room-page/room-page.js", file201, sizeof file201},
    {"components/room-page/room-part.js", file202, sizeof file202},
    {"components/room-page/room-settings.js", file203, sizeof file203},
    {"components/room-page/room-shelf.js", file204, sizeof file204},
    {"components/room-people/member-dialog.js", file205, sizeof file205},
    {"components/room-people/meter-dialog.js", file206, sizeof file206},
    {"components/room-people/room-people.js", file207, sizeof file207},
    {"components/room-people/tools.js", file208, sizeof file208},
    {"components/room-queue/autoplay-dialog.js", file209, sizeof file209},
    {"components/room-queue/offered-playlists.js", file210, sizeof file210},
    {"components/room-queue/queue-controls.js", file211, sizeof file211},
    {"components/room-queue/room-queue.js", file212, sizeof file212},
    {"components/room-queue/song-requests-dialog.js", file213, sizeof file213},
    {"components/room-queue/track-picker.css", file214, sizeof file214},
    {"components/room-queue/track-picker.js", file215, sizeof file215},
    {"components/room-schedule/coming-up.js", file216, sizeof file216},
    {"components/room-schedule/opening.js", file217, sizeof file217},
    {"components/room-schedule/room-schedule.css", file218, sizeof file218},
    {"components/room-schedule/schedule-dialog.js", file219, sizeof file219},
    {"components/room-schedule/slot-form.js", file220, sizeof file220},
    {"components/room-schedule/slot-words.js", file221, sizeof file221},
    {"components/room-stage/name-plate.js", file222, sizeof file222},
    {"components/room-stage/on-air.js", file223, sizeof file223},
    {"components/room-stage/room-heart.js", file224, sizeof file224},
    {"components/room-stage/room-stage.js", file225, sizeof file225},
    {"components/room-stage/shift-row.js", file226, sizeof file226},
    {"components/room-stage/sky.js", file227, sizeof file227},
    {"components/rooms-page/duties.js", file228, sizeof file228},
    {"components/rooms-page/public-switch.js", file229, sizeof file229},
    {"components/rooms-page/rooms-page.js", file230, sizeof file230},
    {"components/rooms-page/webhooks-dialog.js", file231, sizeof file231},
    {"components/scrub-bar/scrub-bar.js", file232, sizeof file232},
    {"components/search-page/recent.js", file233, sizeof file233},
    {"components/search-page/search-page.js", file234, sizeof file234},
    {"components/settings-page/scrobbling.js", file235, sizeof file235},
    {"components/settings-page/settings-page.js", file236, sizeof file236},
    {"components/setup-page/account-step.js", file237, sizeof file237},
    {"components/setup-page/music-step.js", file238, sizeof file238},
    {"components/setup-page/name-step.js", file239, sizeof file239},
    {"components/setup-page/people-step.js", file240, sizeof file240},
    {"components/setup-page/setup-page.css", file241, sizeof file241},
    {"components/setup-page/setup-page.js", file242, sizeof file242},
    {"components/share-dialog/other-players-dialog.js", file243, sizeof file243},
    {"components/share-dialog/share-dialog.js", file244, sizeof file244},
    {"components/share-dialog/share-music.js", file245, sizeof file245},
    {"components/share-dialog/share.js", file246, sizeof file246},
    {"components/share-dialog/speakers-part.js", file247, sizeof file247},
    {"components/sign-in-page/sign-in-page.js", file248, sizeof file248},
    {"components/sign-up-page/sign-up-page.js", file249, sizeof file249},
    {"components/sync-meter/sync-meter.js", file250, sizeof file250},
    {"components/tags-dialog/tags-dialog.css", file251, sizeof file251},
    {"components/tags-dialog/tags-dialog.js", file252, sizeof file252},
    {"components/track-list/column-heads.js", file253, sizeof file253},
    {"components/track-list/drop-offer.js", file254, sizeof file254},
    {"components/track-list/letter-rail.js", file255, sizeof file255},
    {"components/track-list/selection.js", file256, sizeof file256},
    {"components/track-list/track-list.css", file257, sizeof file257},
    {"components/track-list/track-list.js", file258, sizeof file258},
    {"components/track-list/track-row.js", file259, sizeof file259},
    {"components/track-list/windowed.js", file260, sizeof file260},
    {"components/track-menu/menu.js", file261, sizeof file261},
    {"components/track-menu/submit-acts.js", file262, sizeof file262},
    {"components/track-menu/track-acts.js", file263, sizeof file263},
    {"components/track-menu/track-menu.css", file264, sizeof file264},
    {"components/track-menu/track-menu.js", file265, sizeof file265},
    {"components/track-page/track-page.js", file266, sizeof file266},
    {"components/track-page/wave-picture.js", file267, sizeof file267},
    {"components/upload-tray/bring.js", file268, sizeof file268},
    {"components/upload-tray/upload-rows.js", file269, sizeof file269},
    {"components/upload-tray/upload-tray.css", file270, sizeof file270},
    {"components/upload-tray/upload-tray.js", file271, sizeof file271},
    {"components/uploads-part/own-tracks.js", file272, sizeof file272},
    {"components/uploads-part/preparing.js", file273, sizeof file273},
    {"components/uploads-part/review-card.js", file274, sizeof file274},
    {"components/uploads-part/track-list.js", file275, sizeof file275},
    {"components/uploads-part/unfinished.js", file276, sizeof file276},
    {"components/uploads-part/uploads-part.css", file277, sizeof file277},
    {"components/uploads-part/uploads-part.js", file278, sizeof file278},
    {"components/user-page/user-page.js", file279, sizeof file279},
    {"components/user-page/user-playlists.js", file280, sizeof file280},
    {"components/username-page/username-page.js", file281, sizeof file281},
    {"components/visualizer/scenes.js", file282, sizeof file282},
    {"components/visualizer/visual-button.js", file283, sizeof file283},
    {"components/visualizer/visualizer.css", file284, sizeof file284},
    {"components/visualizer/visualizer.js", file285, sizeof file285},
    {"icons/icon-192.png", file286, sizeof file286},
    {"icons/icon-512.png", file287, sizeof file287},
    {"icons/icon-maskable-512.png", file288, sizeof file288},
    {"icons/icon.svg", file289, sizeof file289},
    {"index.html", file290, sizeof file290},
    {"locales/about.en.json", file291, sizeof file291},
    {"locales/about.es.json", file292, sizeof file292},
    {"locales/about.pl.json", file293, sizeof file293},
    {"locales/admin.en.json", file294, sizeof file294},
    {"locales/admin.es.json", file295, sizeof file295},
    {"locales/admin.pl.json", file296, sizeof file296},
    {"locales/apps.en.json", file297, sizeof file297},
    {"locales/apps.es.json", file298, sizeof file298},
    {"locales/apps.pl.json", file299, sizeof file299},
    {"locales/asking.en.json", file300, sizeof file300},
    {"locales/asking.es.json", file301, sizeof file301},
    {"locales/asking.pl.json", file302, sizeof file302},
    {"locales/audience.en.json", file303, sizeof file303},
    {"locales/audience.es.json", file304, sizeof file304},
    {"locales/audience.pl.json", file305, sizeof file305},
    {"locales/en.json", file306, sizeof file306},
    {"locales/errors.en.json", file307, sizeof file307},
    {"locales/errors.es.json", file308, sizeof file308},
    {"locales/errors.pl.json", file309, sizeof file309},
    {"locales/es.json", file310, sizeof file310},
    {"locales/friends.en.json", file311, sizeof file311},
    {"locales/friends.es.json", file312, sizeof file312},
    {"locales/friends.pl.json", file313, sizeof file313},
    {"locales/heard.en.json", file314, sizeof file314},
    {"locales/heard.es.json", file315, sizeof file315},
    {"locales/heard.pl.json", file316, sizeof file316},
    {"locales/host.en.json", file317, sizeof file317},
    {"locales/host.es.json", file318, sizeof file318},
    {"locales/host.pl.json", file319, sizeof file319},
    {"locales/liked.en.json", file320, sizeof file320},
    {"locales/liked.es.json", file321, sizeof file321},
    {"locales/liked.pl.json", file322, sizeof file322},
    {"locales/lyrics.en.json", file323, sizeof file323},
    {"locales/lyrics.es.json", file324, sizeof file324},
    {"locales/lyrics.pl.json", file325, sizeof file325},
    {"locales/music.en.json", file326, sizeof file326},
    {"locales/music.es.json", file327, sizeof file327},
    {"locales/music.pl.json", file328, sizeof file328},
    {"locales/notices.en.json", file329, sizeof file329},
    {"locales/notices.es.json", file330, sizeof file330},
    {"locales/notices.pl.json", file331, sizeof file331},
    {"locales/offline.en.json", file332, sizeof file332},
    {"locales/offline.es.json", file333, sizeof file333},
    {"locales/offline.pl.json", file334, sizeof file334},
    {"locales/operator.en.json", file335, sizeof file335},
    {"locales/operator.es.json", file336, sizeof file336},
    {"locales/operator.pl.json", file337, sizeof file337},
    {"locales/order.en.json", file338, sizeof file338},
    {"locales/order.es.json", file339, sizeof file339},
    {"locales/order.pl.json", file340, sizeof file340},
    {"locales/pl.json", file341, sizeof file341},
    {"locales/players.en.json", file342, sizeof file342},
    {"locales/players.es.json", file343, sizeof file343},
    {"locales/players.pl.json", file344, sizeof file344},
    {"locales/playlists.en.json", file345, sizeof file345},
    {"locales/playlists.es.json", file346, sizeof file346},
    {"locales/playlists.pl.json", file347, sizeof file347},
    {"locales/replays.en.json", file348, sizeof file348},
    {"locales/replays.es.json", file349, sizeof file349},
    {"locales/replays.pl.json", file350, sizeof file350},
    {"locales/room.en.json", file351, sizeof file351},
    {"locales/room.es.json", file352, sizeof file352},
    {"locales/room.pl.json", file353, sizeof file353},
    {"locales/schedule.en.json", file354, sizeof file354},
    {"locales/schedule.es.json", file355, sizeof file355},
    {"locales/schedule.pl.json", file356, sizeof file356},
    {"locales/scrobbling.en.json", file357, sizeof file357},
    {"locales/scrobbling.es.json", file358, sizeof file358},
    {"locales/scrobbling.pl.json", file359, sizeof file359},
    {"locales/setup.en.json", file360, sizeof file360},
    {"locales/setup.es.json", file361, sizeof file361},
    {"locales/setup.pl.json", file362, sizeof file362},
    {"locales/sharing.en.json", file363, sizeof file363},
    {"locales/sharing.es.json", file364, sizeof file364},
    {"locales/sharing.pl.json", file365, sizeof file365},
    {"locales/shift.en.json", file366, sizeof file366},
    {"locales/shift.es.json", file367, sizeof file367},
    {"locales/shift.pl.json", file368, sizeof file368},
    {"locales/solo.en.json", file369, sizeof file369},
    {"locales/solo.es.json", file370, sizeof file370},
    {"locales/solo.pl.json", file371, sizeof file371},
    {"locales/submitted.en.json", file372, sizeof file372},
    {"locales/submitted.es.json", file373, sizeof file373},
    {"locales/submitted.pl.json", file374, sizeof file374},
    {"locales/uploads.en.json", file375, sizeof file375},
    {"locales/uploads.es.json", file376, sizeof file376},
    {"locales/uploads.pl.json", file377, sizeof file377},
    {"locales/webhooks.en.json", file378, sizeof file378},
    {"locales/webhooks.es.json", file379, sizeof file379},
    {"locales/webhooks.pl.json", file380, sizeof file380},
    {"main.js", file381, sizeof file381},
    {"manifest.webmanifest", file382, sizeof file382},
    {"router.js", file383, sizeof file383},
    {"shell/ago.js", file384, sizeof file384},
    {"shell/dialogs.js", file385, sizeof file385},
    {"shell/dom.js", file386, sizeof file386},
    {"shell/first-screen.js", file387, sizeof file387},
    {"shell/forms.js", file388, sizeof file388},
    {"shell/host-offers.js", file389, sizeof file389},
    {"shell/icons.js", file390, sizeof file390},
    {"shell/keys.js", file391, sizeof file391},
    {"shell/looks.js", file392, sizeof file392},
    {"shell/open-reports.js", file393, sizeof file393},
    {"shell/page.js", file394, sizeof file394},
    {"shell/policy.js", file395, sizeof file395},
    {"shell/report.js", file396, sizeof file396},
    {"shell/room-offers.js", file397, sizeof file397},
    {"shell/shell.js", file398, sizeof file398},
    {"shell/times.js", file399, sizeof file399},
    {"shell/toasts.js", file400, sizeof file400},
    {"shell/undo.js", file401, sizeof file401},
    {"shell/upload-drops.js", file402, sizeof file402},
    {"shell/username-field.js", file403, sizeof file403},
    {"store/backoff.js", file404, sizeof file404},
    {"store/credentials.js", file405, sizeof file405},
    {"store/cursor-rows.js", file406, sizeof file406},
    {"store/handover.js", file407, sizeof file407},
    {"store/host.js", file408, sizeof file408},
    {"store/hosting/commands.js", file409, sizeof file409},
    {"store/hosting/covers.js", file410, sizeof file410},
    {"store/hosting/epochs.js", file411, sizeof file411},
    {"store/hosting/follower.js", file412, sizeof file412},
    {"store/hosting/inputs.js", file413, sizeof file413},
    {"store/hosting/keeping.js", file414, sizeof file414},
    {"store/hosting/library-song.js", file415, sizeof file415},
    {"store/hosting/places.js", file416, sizeof file416},
    {"store/hosting/playlist.js", file417, sizeof file417},
    {"store/hosting/seat.js", file418, sizeof file418},
    {"store/hosting/shelf.js", file419, sizeof file419},
    {"store/hosting/sounds.js", file420, sizeof file420},
    {"store/hosting/turns.js", file421, sizeof file421},
    {"store/hosting/upload.js", file422, sizeof file422},
    {"store/i18n.js", file423, sizeof file423},
    {"store/keep-listening.js", file424, sizeof file424},
    {"store/library-rows.js", file425, sizeof file425},
    {"store/library.js", file426, sizeof file426},
    {"store/likes.js", file427, sizeof file427},
    {"store/line.js", file428, sizeof file428},
    {"store/me.js", file429, sizeof file429},
    {"store/moments.js", file430, sizeof file430},
    {"store/notices.js", file431, sizeof file431},
    {"store/offline.js", file432, sizeof file432},
    {"store/offline/shelf.js", file433, sizeof file433},
    {"store/patient.js", file434, sizeof file434},
    {"store/player.js", file435, sizeof file435},
    {"store/playlist-rows.js", file436, sizeof file436},
    {"store/playlists.js", file437, sizeof file437},
    {"store/presets.js", file438, sizeof file438},
    {"store/queue.js", file439, sizeof file439},
    {"store/replay-recordings.js", file440, sizeof file440},
    {"store/replay.js", file441, sizeof file441},
    {"store/reversed-rows.js", file442, sizeof file442},
    {"store/room.js", file443, sizeof file443},
    {"store/rules.js", file444, sizeof file444},
    {"store/server.js", file445, sizeof file445},
    {"store/session.js", file446, sizeof file446},
    {"store/sessions.js", file447, sizeof file447},
    {"store/settings.js", file448, sizeof file448},
    {"store/shift.js", file449, sizeof file449},
    {"store/solo.js", file450, sizeof file450},
    {"store/solo/device.js", file451, sizeof file451},
    {"store/solo/kept-queue.js", file452, sizeof file452},
    {"store/solo/play-order.js", file453, sizeof file453},
    {"store/solo/plays.js", file454, sizeof file454},
    {"store/solo/shared-player.js", file455, sizeof file455},
    {"store/solo/words.js", file456, sizeof file456},
    {"store/submissions.js", file457, sizeof file457},
    {"store/track-changes.js", file458, sizeof file458},
    {"store/tracks.js", file459, sizeof file459},
    {"store/uploads.js", file460, sizeof file460},
    {"store/uploads/amounts.js", file461, sizeof file461},
    {"store/uploads/backoff.js", file462, sizeof file462},
    {"store/uploads/fingerprint.js", file463, sizeof file463},
    {"store/uploads/hash-worker.js", file464, sizeof file464},
    {"store/uploads/item.js", file465, sizeof file465},
    {"store/uploads/keeping.js", file466, sizeof file466},
    {"store/uploads/leftovers.js", file467, sizeof file467},
    {"store/uploads/oddities.js", file468, sizeof file468},
    {"store/uploads/pieces.js", file469, sizeof file469},
    {"store/uploads/shelf.js", file470, sizeof file470},
    {"store/uploads/speed.js", file471, sizeof file471},
    {"store/uploads/tags.js", file472, sizeof file472},
    {"store/uploads/taking.js", file473, sizeof file473},
    {"store/uploads/transfer.js", file474, sizeof file474},
    {"store/uploads/tus.js", file475, sizeof file475},
    {"styles/base.css", file476, sizeof file476},
    {"styles/pages.css", file477, sizeof file477},
    {"styles/shell.css", file478, sizeof file478},
    {"styles/tokens.css", file479, sizeof file479},
    {"sw.js", file480, sizeof file480},
    {"wire/clock.js", file481, sizeof file481},
    {"wire/frames.js", file482, sizeof file482},
    {"wire/host-frames.js", file483, sizeof file483},
    {"wire/ogg.js", file484, sizeof file484},
    {"wire/opus.js", file485, sizeof file485},
    {"wire/playback.js", file486, sizeof file486},
    {"wire/qr.js", file487, sizeof file487},
};

const struct sona_site_file *sona_site_file_at(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
