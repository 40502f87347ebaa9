/** Bounds of rules. */
import { STUFEN } from '#contracts';

/** Rules of a Mandant at most: all of them are read whenever calls have been counted. */
export const MAX_RULES = 200;

/** Levels of rules that slow down, stop or block. */
export const ARMED_LEVELS = STUFEN.slice(STUFEN.indexOf('drosseln'));

/** This many events of a Mandant with such a rule may wait to be counted: about what is counted in a second. */
export const MAX_WAITING = 10_000;
