/** The address of a user's page. */
export const userPath = (user) => `/u/${user.username ? `@${user.username}` : encodeURIComponent(user.uid)}`;
