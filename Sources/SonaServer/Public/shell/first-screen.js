// What the server put into the document, so that something is seen before any script runs: the frame, and the stage of a
// room that everybody may see. FirstScreen.swift.

const screen = document.getElementById('first-screen'), path = location.pathname;
const wordmark = screen?.querySelector('.wordmark');
let stage = screen?.querySelector('[data-room]') ?? null;

/** What it says of the server, as `server.info` does, or null. */
export const saidOfServer = wordmark && {
  title: wordmark.querySelector('span').textContent, logo: wordmark.querySelector('img')?.getAttribute('src') ?? null,
  ...screen.querySelector('.who a[href="/sign-up"]') ? {} : {registration: 'closed'},
};

/** What it shows of a page, or nothing. */
export const firstContent = () => [...screen?.querySelector('main').children ?? []];

/** The room's stage as the document has it, as long as the room has not been entered and no other page was opened; or null. */
export const firstStage = () => location.pathname === path ? stage : null;
export const forgetFirstStage = () => { stage = null; };
