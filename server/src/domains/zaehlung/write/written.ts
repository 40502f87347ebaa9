/** What counting hands over to be written. */
import type { KeySums } from '../key-sums.ts';
import type { Resolved } from '../merkmale.ts';
import type { AgentCall, RunTotal, Span } from '../runs.ts';
import type { SourceTotals } from '../source-sums.ts';
import type { Sums } from '../sums/sums.ts';

/** What is added for one Mandant. */
export interface Written {
  mandant: string;
  sums: Sums;
  keys: KeySums;
  sources: SourceTotals;
  resolved: Resolved;
  runs: RunTotal[];
  /** How many marks the Mandant has been given so far. */
  marken: number;
}

/** What newly counted events bring besides. */
export interface Counted extends Written {
  count: number;
  span: Span;
  /** By agent. */
  agents: Map<string, AgentCall>;
  /** The memory that holds its runs as they are then. */
  gedaechtnis: string;
}
