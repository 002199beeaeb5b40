/// The page of accounts: signing up and in, the pages that mails lead to. Until the player has all of it.
enum AccountPage {
    static let files: [(path: String, body: [UInt8])] = [
        (path: "/account.html", body: Array(html.utf8)), (path: "/account.js", body: Array(script.utf8)),
        (path: "/session.js", body: Array(session.utf8)),
    ]

    /// The addresses at which the page is; which of its parts is shown it finds in its own.
    static let paths: Set<String> = ["/account", "/account/recover", "/account/confirm"]

    private static let html = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>Account · Sona</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/landing.css">
        <script src="/account.js" type="module"></script>
        </head>
        <body>
        <main>
        <p><a href="/">Sona</a></p>
        <h1 tabindex="-1">Account</h1>
        <p id="status" role="status" aria-live="polite"></p>

        <form id="sign-in" hidden>
          <h2>Sign in</h2>
          <label>E-mail address <input name="email" type="email" autocomplete="username" required maxlength="254"></label>
          <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
          <button>Sign in</button>
          <p><a href="#" data-show="sign-up">Make an account</a> · <a href="#" data-show="forgotten">Forgotten?</a></p>
        </form>

        <form id="sign-up" hidden>
          <h2>Make an account</h2>
          <label>Username
            <input name="username" autocomplete="nickname" required minlength="3" maxlength="24" spellcheck="false"
              autocapitalize="none" aria-describedby="availability"></label>
          <p id="availability" role="status" aria-live="polite"></p>
          <label>E-mail address <input name="email" type="email" autocomplete="username" required maxlength="254"></label>
          <label>Password, at least 8 characters
            <input name="password" type="password" autocomplete="new-password" required minlength="8"></label>
          <button>Make the account</button>
          <p><a href="#" data-show="sign-in">I have one</a></p>
        </form>

        <form id="forgotten" hidden>
          <h2>A new password</h2>
          <label>E-mail address <input name="email" type="email" autocomplete="username" required maxlength="254"></label>
          <button>Send me a link</button>
          <p><a href="#" data-show="sign-in">Back</a></p>
        </form>

        <form id="recover" hidden>
          <h2>Choose a new password</h2>
          <label>New password, at least 8 characters
            <input name="password" type="password" autocomplete="new-password" required minlength="8"></label>
          <button>Set the password</button>
        </form>

        <form id="confirm" hidden>
          <h2>Confirm your e-mail address</h2>
          <button>This is my address</button>
        </form>

        <section id="own" hidden>
          <p>You are <strong id="name"></strong>.</p>
          <p id="email"></p>
          <button id="sign-out">Sign out</button>
          <button id="sign-out-everywhere">Sign out everywhere</button>
        </section>
        </main>
        </body>
        </html>

        """

    /// Who is signed in on this device, for every page of the site.
    private static let session = """
        const key = "sona.session";

        /** What a server answered instead of what was asked for. */
        export class Refusal extends Error {
          constructor(error) {
            super(error.message);
            this.code = error.code;
            this.retryAfter = error.retry_after_ms;
          }
        }

        export const call = async (type, data = {}, token) => {
          const headers = {"content-type": "application/json"};
          if (token) headers.authorization = `Bearer ${token}`;
          const response = await fetch(`/v1/rpc/${type}`, {method: "POST", headers, body: JSON.stringify(data)});
          const reply = await response.json();
          if (reply.type !== "ok") throw new Refusal(reply.error);
          return reply.data;
        };

        const read = () => {
          try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
        };

        export const keep = (grant) => {
          const kept = {...read(), ...grant, expires: Date.now() + grant.expires_in_s * 1000};
          localStorage.setItem(key, JSON.stringify(kept));
        };

        export const forget = () => localStorage.removeItem(key);

        // A refresh token is good for one use, and a second use signs everybody out: one tab at a time.
        const alone = (body) => navigator.locks ? navigator.locks.request(key, body) : body();

        /** A token that is good for half a minute more, or null where nobody is signed in. */
        export const token = async () => {
          const known = read();
          if (!known) return null;
          if (known.expires > Date.now() + 30_000) return known.access_token;
          return alone(async () => {
            const kept = read();
            if (!kept) return null;
            if (kept.expires > Date.now() + 30_000) return kept.access_token;
            try {
              keep(await call("auth.refresh", {refresh_token: kept.refresh_token}));
            } catch (error) {
              if (["auth.refresh_invalid", "auth.banned"].includes(error.code)) forget();
              throw error;
            }
            return read().access_token;
          });
        };

        export const refreshToken = () => read()?.refresh_token;

        """

    private static let script = """
        import {call, forget, keep, refreshToken, token} from "/session.js";

        const find = (selector) => document.querySelector(selector);
        const say = (text) => { find("#status").textContent = text; };
        // The code stands behind #, which browsers send to nobody; out of the history with it.
        const code = location.hash.slice(1);
        if (code) history.replaceState(null, "", location.pathname);

        const show = (id) => {
          for (const part of document.querySelectorAll("form, #own")) part.hidden = part.id !== id;
          find(`#${id} input, #${id} button`)?.focus();
        };

        const greet = async () => {
          const access = await token().catch((error) => { say(error.message); return null; });
          if (!access) return show("sign-in");
          const me = await call("user.me", {}, access);
          find("#name").textContent = me.user.username ? `@${me.user.username}` : "somebody without a username yet";
          find("#email").textContent = me.email
            ? `${me.email}${me.email_confirmed ? "" : " (not confirmed yet)"}` : "";
          show("own");
        };

        const submit = (id, body) => find(`#${id}`).addEventListener("submit", async (event) => {
          event.preventDefault();
          const form = event.target;
          const button = form.querySelector("button");
          button.disabled = true;
          say("");
          try {
            await body(Object.fromEntries(new FormData(form)));
          } catch (error) {
            const wait = error.retryAfter ? ` Try again in ${Math.ceil(error.retryAfter / 1000)} s.` : "";
            say(error.message + wait);
          } finally {
            button.disabled = false;
          }
        });

        submit("sign-in", async (fields) => {
          keep(await call("auth.sign_in", fields));
          await greet();
        });
        submit("sign-up", async (fields) => {
          keep(await call("auth.sign_up", fields));
          await greet();
        });
        submit("forgotten", async (fields) => {
          await call("auth.request_recovery", fields);
          say("If somebody has that address here, a link is on its way. It is good for an hour.");
        });
        submit("recover", async ({password}) => {
          keep(await call("auth.recover", {code, new_password: password}));
          say("The password is set, and every other sign-in has ended.");
          await greet();
        });
        submit("confirm", async () => {
          await call("auth.confirm_email", {code});
          say("Thank you: the address is confirmed.");
          await greet();
        });

        let typing;
        find("#sign-up [name=username]").addEventListener("input", ({target}) => {
          clearTimeout(typing);
          const output = find("#availability");
          output.textContent = "";
          typing = setTimeout(async () => {
            const username = target.value;
            if (!username) return;
            try {
              const answer = await call("username.check", {username});
              if (target.value !== username) return;
              const others = answer.suggestions.length ? ` Free: ${answer.suggestions.join(", ")}.` : "";
              output.textContent = answer.available ? `${username} is free.` : `${answer.message}${others}`;
            } catch (error) { output.textContent = error.message; }
          }, 300);
        });

        for (const link of document.querySelectorAll("[data-show]")) {
          link.addEventListener("click", (event) => { event.preventDefault(); say(""); show(link.dataset.show); });
        }
        find("#sign-out").addEventListener("click", async () => {
          await call("auth.sign_out", {refresh_token: refreshToken()}).catch(() => {});
          forget();
          await greet();
        });
        find("#sign-out-everywhere").addEventListener("click", async () => {
          try {
            await call("auth.sign_out_everywhere", {}, await token());
            forget();
            await greet();
          } catch (error) { say(error.message); }
        });

        if (location.pathname === "/account/recover") show("recover");
        else if (location.pathname === "/account/confirm") show("confirm");
        else await greet();

        """
}
