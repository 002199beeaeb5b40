extension WebSite {
    /// What a browser sees until the player is there: the public rooms, and how to hear one.
    static let landingPage = WebSite(
        files: [
            (path: "/index.html", body: Array(LandingPage.html.utf8)),
            (path: "/landing.js", body: Array(LandingPage.script.utf8)),
            (path: "/landing.css", body: Array(LandingPage.style.utf8)),
        ] + AccountPage.files)
}

private enum LandingPage {
    static let html = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Sona</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/landing.css">
        <script src="/landing.js" defer></script>
        </head>
        <body>
        <main>
        <h1>Sona</h1>
        <p>Somebody plays music; everybody in the room hears the same moment of it.</p>
        <h2>Public rooms</h2>
        <ul id="rooms" aria-live="polite"><li>Looking …</li></ul>
        <h2>Listen</h2>
        <pre id="command">sonactl listen ROOM --output room.opus</pre>
        <p><a href="/account">Your account</a></p>
        </main>
        </body>
        </html>

        """

    static let script = """
        const call = async (type, data, token) => {
          const headers = {"content-type": "application/json"};
          if (token) headers.authorization = `Bearer ${token}`;
          const response = await fetch(`/v1/rpc/${type}`, {method: "POST", headers, body: JSON.stringify(data)});
          const reply = await response.json();
          if (reply.type !== "ok") throw new Error(reply.error.message);
          return reply.data;
        };

        const row = (room) => {
          const item = document.createElement("li");
          const title = document.createElement("strong");
          title.textContent = room.title;
          const about = document.createElement("span");
          const track = [room.track?.artist, room.track?.title].filter(Boolean).join(" – ");
          about.textContent = room.live
            ? `${track || "playing"} · ${room.listeners} listening` : "nothing is playing";
          const command = document.createElement("code");
          command.textContent = `sonactl --server ${location.origin} listen ${room.id}`;
          item.append(title, about, command);
          item.toggleAttribute("data-live", room.live);
          return item;
        };

        let token;
        const refresh = async () => {
          const list = document.querySelector("#rooms");
          try {
            token ??= (await call("auth.guest", {})).access_token;
            const {rooms} = await call("room.list", {limit: 100}, token);
            const wanted = location.pathname.startsWith("/r/") ? location.pathname.slice(3) : null;
            const shown = wanted ? rooms.filter((room) => room.id === wanted) : rooms;
            list.replaceChildren(...shown.map(row));
            if (!shown.length) list.textContent = "There is none just now.";
            const first = shown.find((room) => room.live) ?? shown[0];
            if (first) document.querySelector("#command").textContent =
              `sonactl --server ${location.origin} listen ${first.id} --output room.opus`;
          } catch (error) {
            token = undefined;
            list.textContent = error.message;
          }
        };
        refresh();
        setInterval(refresh, 5000);

        """

    static let style = """
        :root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif; }
        body { margin: 0; }
        main { max-width: 42rem; margin: 0 auto; padding: 2rem 1rem; }
        ul { list-style: none; padding: 0; }
        li { display: grid; gap: .2rem; padding: .8rem 1rem; margin: .5rem 0; border-radius: .6rem;
             background: color-mix(in srgb, currentColor 7%, transparent); }
        li[data-live] { border-inline-start: .3rem solid #1b8; }
        form, section { display: grid; gap: .8rem; }
        [hidden] { display: none; }
        label { display: grid; gap: .2rem; }
        input, button { font: inherit; padding: .5rem .7rem; border-radius: .5rem; border: 1px solid #8889;
                        background: transparent; color: inherit; }
        button { background: #0a6b4f; border-color: #0a6b4f; color: #fff; cursor: pointer; justify-self: start; }
        button:disabled { opacity: .6; }
        :focus-visible { outline: 3px solid #1b8; outline-offset: 2px; }
        a { color: inherit; }
        #status:empty, #availability:empty { display: none; }
        #status { padding: .6rem 1rem; border-radius: .6rem; background: color-mix(in srgb, #1b8 25%, transparent); }
        code, pre { overflow-x: auto; font-size: .85em; }
        pre { white-space: pre-wrap; padding: .8rem 1rem; border-radius: .6rem; background: color-mix(in srgb, currentColor 7%, transparent); }

        """
}
