import { stableId } from './stable-id.ts';

const UUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/;

/**
 * The run that a session or trace names, whichever way tells of it: a UUID is its own, a trace id is one without hyphens, any other
 * name has one derived from it as it stands.
 */
export const runIdOf = (name: string): string =>
  UUID.exec(name.toLowerCase())?.slice(1).join('-') ?? stableId('run', name);
