// Hashes pieces of files, so that neither reading nor hashing holds up the page.
// In: {id, blob}. Out: {id, hash}, SHA-256 in base 64; or {id, error}, the name of the browser's error.
onmessage = async ({data: {id, blob}}) => {
  try {
    const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
    postMessage({id, hash: btoa(String.fromCharCode(...new Uint8Array(digest)))});
  } catch (error) {
    postMessage({id, error: error.name});
  }
};
