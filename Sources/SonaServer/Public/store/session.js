// The page's one stay with the server.
import {RequestError, Session} from './sessions.js';

export {RequestError, Session};

export const session = new Session();
