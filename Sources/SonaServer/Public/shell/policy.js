// Trusted Types: no text becomes a script or markup; scripts are loaded from our own origin alone.
const ofOurs = (url) => {
  if (new URL(url, location.href).origin !== location.origin) throw new TypeError('Scripts come from our own origin.');
  return url;
};
globalThis.trustedTypes?.createPolicy('default', {createScriptURL: ofOurs});

export const policy = {
  /** Service workers need a secure origin. */
  mayWorkOffline: 'serviceWorker' in navigator && isSecureContext,
};
