/** A part that works beside the page did not come: another time it may. */
export class NotLoaded extends Error {}
