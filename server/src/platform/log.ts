import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Structured log, on stdout unless a destination is given; whatever may carry a secret is cut out by path. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: ['*.authorization', '*.cookie', '*["x-svc-key"]', '*.passwort', '*.schluessel', '*.token'],
      censor: '[entfernt]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
