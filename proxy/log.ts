import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type Level = (typeof LEVELS)[number];
export const isLevel = (text: string): text is Level => LEVELS.some((level) => level === text);

/**
 * Lines of JSON on stdout. No header, no query, no body and no path of a caller is ever handed to it: in all of them are keys of
 * providers.
 */
export const createLog = (level: Level, destination?: DestinationStream): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
