/** Rules of a Mandant at most: all of them are read whenever calls have been counted. */
export const MAX_RULES = 200;
