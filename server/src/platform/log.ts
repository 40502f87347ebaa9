import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Structured log on stdout; whatever may carry a secret is cut out by path. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['*.authorization', '*.cookie', '*["x-svc-key"]', '*.passwort', '*.schluessel', '*.token'],
      censor: '[entfernt]',
    },
  });
}
