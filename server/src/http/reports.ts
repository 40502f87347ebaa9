/**
 * Operations that declare the CPU time of a report keep a processor busy each, mostly the database's: as many are under way as there
 * are processors, shared between Mandanten, so that one that asks for many leaves a processor to others.
 */
import { CPU_OF_A_REPORT, type Operation } from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { createShares, PROCESSORS, refuseShared, type Shares } from '#platform/shares.ts';

const WAITING = 200;
/** Longest that a request waits for its turn, in milliseconds. */
const LONGEST = 30_000;

export const isReport = ({ cpu }: Operation): boolean => cpu === CPU_OF_A_REPORT;

/** The places in which reports are made. Throws 429 `anteil_verbraucht` or 503 `ueberlastet` where too many wait, or for too long. */
export const createReportShares = (): Shares<MandantId> =>
  createShares({ places: PROCESSORS, waiting: WAITING, longest: LONGEST, refuse: refuseShared });
