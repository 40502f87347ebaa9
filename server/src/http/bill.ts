/** What a request costs the event loop, booked on who sent it as far as that goes beyond what it is worth. */
import { CPU_OF_A_CALL, type Operation } from '#contracts';
import type { KeyPrincipal, SessionPrincipal } from '#platform/principal.ts';
import { countNow, measured, type Tally } from './meter.ts';
import type { WorkBudget } from './work-budget.ts';

/** Milliseconds of CPU time that a byte may cost, as it was sent. */
export const WORTH_OF_A_BYTE = 0.000_03;

export interface Bill {
  /** Does work for the request. */
  add<Result>(work: () => Result): Result;
  /** Says how many milliseconds what was sent is worth. */
  isWorth(milliseconds: number): void;
  /** Books what has come up since the last time. */
  settle(): void;
}

/** Begins one. */
export function createBill(
  { cpu = CPU_OF_A_CALL }: Operation,
  budget: WorkBudget,
  principal: KeyPrincipal | SessionPrincipal | null,
): Bill {
  const tally: Tally = { cpu: 0 };
  let worth = cpu;
  let booked = 0;
  return {
    add: (work) => measured(tally, work),
    isWorth(milliseconds) {
      worth = cpu + milliseconds;
    },
    settle() {
      countNow();
      const excess = Math.max(0, tally.cpu - worth);
      if (excess <= booked) return;
      budget.book(principal, excess - booked, 0);
      booked = excess;
    },
  };
}
