/** The variable in which PostgreSQL's process has the key that its log is signed under, in hex. */
export const KEY_VARIABLE = 'ZW_ARCHIV_SCHLUESSEL';
