/** Of a value that more identities share than this, the first ones are read; `share` still tells how many there are. */
export const SHARE_LIMIT = 24;
/** Identities looked up by a name key alone. */
export const NAME_LIMIT = 24;
