/** A runaway that somebody has reported in public, as a stream of calls. */
import type { PlannedCall } from '../planned.ts';

export interface Report {
  /** Where it was reported, and what is special about it. */
  name: string;
  /** What a reasonable person wants. */
  wish: string;
  /** All calls that are made if nobody stops them, in the order of time. */
  calls: PlannedCall[];
  /** With which of them, from 1, a person who looked on would say that this is no work any more. */
  evident: number;
  /** A budget of the agent in EUR, set before; `hard`: it is to stop the agent. */
  budget?: { agent: string; eur: string; hard: boolean };
  /** More alarms than this are a fault of their own. */
  mostAlarms?: number;
}
