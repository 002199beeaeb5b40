// Whether what a room plays can be played alone, too: Protocol/spec/rooms.md, "From together to alone".
import {isSignedIn} from '../router.js';
import {session} from './session.js';

export const mayKeepListening = (room) => isSignedIn() && session.features.has('handover') && Boolean(room.track?.music);
