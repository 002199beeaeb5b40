internal import SonaWire

/// What is seen before the script runs: the frame of every page and, of a room that everybody may see, its title, its
/// host and its cover.
///
/// It is the markup that the script makes first, so that nothing moves when the script takes its place. Of a private room
/// nothing is known here: its document has the frame alone.
struct FirstScreen: Sendable {
    private let shell: ShellSource
    /// By language.
    private let words: [String: PageWords]

    /// `nil` for a site without a frame.
    init?(_ contents: [String: [UInt8]]) {
        guard let shell = contents["shell/shell.js"], let icons = contents["shell/icons.js"] else { return nil }
        self.shell = ShellSource(
            shell: String(decoding: shell, as: UTF8.self), icons: String(decoding: icons, as: UTF8.self))
        var words: [String: PageWords] = [:]
        for language in FirstWords.languages(of: contents) {
            words[language] = PageWords(language, contents[FirstWords.path(language)] ?? [])
        }
        self.words = words
    }

    var links: [ShellSource.Link] { shell.places + shell.corner }

    /// Pages without a frame, which have their own look from edge to edge.
    private static let bare: Set = ["embed", "display"]

    func markup(_ face: PageFace) -> String {
        guard let words = words[face.language], !Self.bare.contains(face.page) else { return "" }
        let room = face.page == "room" ? face.room.map { stage($0, words) } ?? "" : ""
        return """
            <div class="shell" id="first-screen">\(head(face, words))<div hidden></div><div class="line-state"></div>\
            <main id="main">\(room)</main></div>
            """
    }

    private func head(_ face: PageFace, _ words: PageWords) -> String {
        let title = HTMLText.escaped(face.serverTitle)
        let picture =
            face.serverLogo.map { "<img class=\"server-logo\" src=\"\(HTMLText.escaped($0))\" alt=\"\">" } ?? """
                <svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><circle cx="16" cy="16" r="4.5" fill="currentColor"/>\
                <path d="\(shell.mark)" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"/></svg>
                """
        func nav(_ name: String, _ label: String, _ links: [ShellSource.Link]) -> String {
            let items = links.map { link in
                let present = link.pages.contains(face.page) ? " aria-current=\"page\"" : ""
                return "<li><a href=\"\(link.path)\"\(present)>\(icon(link.icon))<span class=\"nav-name\">"
                    + "\(HTMLText.escaped(words[link.name]))</span></a></li>"
            }
            return
                "<nav class=\"\(name)\" aria-label=\"\(HTMLText.escaped(words[label]))\"><ul>\(items.joined())</ul></nav>"
        }
        func button(_ kind: String, _ path: String, _ name: String) -> String {
            "<a class=\"button \(kind) small-button\" href=\"\(path)\">\(HTMLText.escaped(words[name]))</a>"
        }
        // Whether this browser remembers an account is not known here. Most who come without the script do not have one.
        let who =
            button("quiet", "/sign-in", "nav.sign-in")
            + (face.takesAccounts ? button("primary", "/sign-up", "nav.sign-up") : "")
        let start = HTMLText.escaped(words["nav.start"].replacing("{name}", with: face.serverTitle))
        return """
            <header class="shell-head"><a class="wordmark" href="/" aria-label="\(start)">\(picture)\
            <span class="truncate" aria-hidden="true">\(title)</span></a>\(nav("nav", "nav.label", shell.places))\
            \(nav("nav corner", "nav.corner", shell.corner))<div class="who">\(who)</div></header>
            """
    }

    private func icon(_ name: String, isSolid: Bool = false) -> String {
        """
        <svg class="icon" viewBox="0 0 24 24" fill="\(isSolid ? "currentColor" : "none")" stroke="currentColor" \
        stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">\
        <path d="\(shell.icons[name] ?? "")"/></svg>
        """
    }
}

// MARK: A room

extension FirstScreen {
    /// The stage of a room, as components/room-stage/room-stage.js draws it for somebody who has not pressed Play.
    private func stage(_ face: RoomFace, _ words: PageWords) -> String {
        let (room, track) = (face.room, face.room.isLive ? face.track : nil)
        let state = room.isLive ? "idle" : "waiting"
        let title = track?.title ?? room.settings.title
        let user = room.host ?? room.owner
        func line(_ name: String, _ text: String?) -> String {
            text.map { "<p class=\"\(name)\" dir=\"auto\">\(HTMLText.escaped($0))</p>" } ?? ""
        }
        let name = user.username?.rawValue ?? words["name.guest"]
        let play = HTMLText.escaped(words["player.play"])
        return """
            <div class="room-grid" data-room="\(HTMLText.escaped(room.id.rawValue))"><div class="room-main stack">\
            <div class="room-stage" data-state="\(state)"><div class="stage-picture"><div class="stage-cover">\
            <span class="cover" aria-hidden="true">\(cover(face))</span></div></div><div class="stage-words stack">\
            <div class="stage-state row tight"><span class="badge">\(HTMLText.escaped(words["player.state.\(state)"]))</span>\
            <span class="muted small">\(HTMLText.escaped(words["player.why.\(state)"]))</span></div>\
            <div class="stage-titles">\(line("stage-room", track?.title == nil ? nil : room.settings.title))\
            <h1 dir="auto"\(title.utf16.count > 44 ? " data-long" : "")>\(HTMLText.escaped(title))</h1>\
            \(line("stage-artist", track?.artist))\(line("muted", track?.album))</div>\
            <div class="row tight stage-host"><span class="row tight"><span class="avatar" aria-hidden="true"></span>\
            <span class="stage-name"><span class="muted small">\
            \(HTMLText.escaped(words[room.host == nil ? "stage.owner" : "stage.on-air"]))</span>\
            <strong class="truncate" dir="auto">\(HTMLText.escaped(name))</strong></span></span>\
            <span class="muted small tabular">\(HTMLText.escaped(words.plural("stage.listening", room.listenerCount)))</span>\
            </div><div class="row stage-controls"><button class="big-play" type="button" disabled aria-label="\(play)" \
            title="\(play)">\(icon("play", isSolid: true))</button></div></div></div></div>\
            <section class="room-side card" data-first></section></div>
            """
    }

    /// The track's artwork if it is a path of this server, else the room's picture, else a drawing.
    private func cover(_ face: RoomFace) -> String {
        let artwork = face.room.isLive ? face.track?.artwork : nil
        if let artwork, artwork.hasPrefix("/"), !artwork.hasPrefix("//"), !artwork.hasPrefix("/\\") {
            return "<img src=\"\(HTMLText.escaped(artwork))\" alt=\"\">"
        }
        if let picture = face.room.picture { return "<img src=\"\(picture.path(.full))\" alt=\"\">" }
        return DrawnCover.markup(face.room.id.rawValue)
    }
}
