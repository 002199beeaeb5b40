"""Services that take listens, as ListenBrainz and Last.fm have published it.

https://listenbrainz.readthedocs.io/en/latest/users/api/core.html, https://www.last.fm/api
"""
import hashlib, http.server, json, threading, urllib.parse

KEY, SECRET = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"


class Service:
    """Answers on a free port of this machine. `answers` are given before its own: (status, headers, body)."""

    def __init__(self, port=0):
        self.answers, self.asked, self.lock = [], [], threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with outer.lock:
                    outer.asked.append((self.command, self.path))
                    status, headers, text = outer.answers.pop(0) if outer.answers else outer.handle(self.command, self.path, self.headers, body)
                text = text if isinstance(text, bytes) else json.dumps(text).encode()
                self.send_response(status)
                for name, value in ({"Content-Length": str(len(text)), "Content-Type": "application/json"} | headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class ListenBrainz(Service):
    """One for each check, with a path before `/1/`. A listen of the same second, artist and track is the same."""

    def __init__(self, tokens, path="/apis/listenbrainz", port=0):
        self.tokens, self.path, self.listens, self.now, self.batches, self.repeated = dict(tokens), path, {}, [], [], 0
        self.hated, self.away = None, 0
        super().__init__(port)
        self.url = f"http://127.0.0.1:{self.port}{path}"

    def handle(self, method, path, headers, body):
        kind, _, token = (headers.get("Authorization") or "").partition(" ")
        if not path.startswith(self.path + "/1/"):
            return 404, {}, {"code": 404, "error": "Not found"}
        name = self.tokens.get(token) if kind == "Token" else None
        if (method, path) == ("GET", self.path + "/1/validate-token"):
            return (200, {}, {"code": 200, "message": "Token valid.", "valid": True, "user_name": name}) if name else \
                (200, {}, {"code": 200, "message": "Token invalid.", "valid": False})
        if (method, path) != ("POST", self.path + "/1/submit-listens"):
            return 404, {}, {"code": 404, "error": "Not found"}
        if not name:
            return 401, {}, {"code": 401, "error": "Invalid authorization token."}
        given = json.loads(body)
        payload = given["payload"]
        if given["listen_type"] == "playing_now":
            if len(payload) != 1 or "listened_at" in payload[0]:
                return 400, {}, {"code": 400, "error": "listened_at in playing_now"}
            self.now.append((name, payload[0]["track_metadata"]["track_name"]))
            return 200, {}, {"status": "ok"}
        if given["listen_type"] == "single" and len(payload) != 1 or given["listen_type"] not in ("single", "import"):
            return 400, {}, {"code": 400, "error": "listen_type"}
        if self.away:
            self.away -= 1
            return 503, {"Retry-After": "2"}, b"away"
        if any(one["track_metadata"]["track_name"] == self.hated for one in payload):
            return 400, {}, {"code": 400, "error": "a track that is hated here"}
        self.batches.append(len(payload))
        for one in payload:
            about = one["track_metadata"]
            key = (name, one["listened_at"], about["artist_name"], about["track_name"])
            self.repeated += key in self.listens
            self.listens[key] = about
        return 200, {}, {"status": "ok"}

    def titles(self, name):
        """What somebody has heard, in its order."""
        return [key[3] for key in sorted(self.listens, key=lambda key: key[1]) if key[0] == name]


class LastFM(Service):
    """Signed requests of one program."""

    def __init__(self):
        self.allowed, self.sessions, self.listens, self.now, self.count = set(), {}, [], [], 0
        super().__init__()
        self.url = f"http://127.0.0.1:{self.port}/2.0/"

    @staticmethod
    def signature(fields):
        text = "".join(name + fields[name] for name in sorted(fields) if name not in ("format", "callback", "api_sig"))
        return hashlib.md5((text + SECRET).encode()).hexdigest()

    def handle(self, method, path, headers, body):
        fields = dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True))
        fault = lambda number, text: (403 if number in (4, 9, 14) else 400, {}, {"error": number, "message": text})
        if method != "POST" or path != "/2.0/" or fields.get("format") != "json":
            return fault(3, "Invalid Method")
        if fields.get("api_key") != KEY:
            return fault(10, "Invalid API key")
        if fields.get("api_sig") != self.signature(fields):
            return fault(13, "Invalid method signature supplied")
        what = fields["method"]
        if what == "auth.getToken":
            self.count += 1
            return 200, {}, {"token": f"token{self.count}"}
        if what == "auth.getSession":
            if fields["token"] not in self.allowed:
                return fault(14, "This token has not been authorized")
            self.sessions["session-" + fields["token"]] = "Ada"
            return 200, {}, {"session": {"name": "Ada", "key": "session-" + fields["token"], "subscriber": 0}}
        if fields.get("sk") not in self.sessions:
            return fault(9, "Invalid session key")
        if what == "track.updateNowPlaying":
            self.now.append(fields["track"])
            return 200, {}, {"nowplaying": {}}
        if what != "track.scrobble":
            return fault(3, "Invalid Method")
        index = 0
        while f"track[{index}]" in fields:
            self.listens.append((fields[f"artist[{index}]"], fields[f"track[{index}]"], int(fields[f"timestamp[{index}]"]),
                                 int(fields.get(f"duration[{index}]", 0))))
            index += 1
        return (200, {}, {"scrobbles": {}}) if index else fault(6, "Invalid parameters")
