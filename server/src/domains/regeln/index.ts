/** Rules: what a Mandant wants to be told of, and what is to be done then. */
export { readActiveRules } from './owner/active.ts';
export { minutesOf, type Regel, type RegelVon } from './regel.ts';
