/** Calls of made-up agents as their events, at a time of the stream. */
import type { Ereignis } from '#client/event.ts';
import { printsOf } from '#client/prints/prints.ts';
import { KeyedPrints } from '#client/prints/sim-hash.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A call that an agent is going to make, in milliseconds from the beginning of the stream. */
export interface PlannedCall {
  at: number;
  event: Ereignis & { ereignis_id: string; agent: string };
}

export const byTime = (calls: PlannedCall[]): PlannedCall[] => calls.sort((a, b) => a.at - b.at);

/** Any key: all prints are made under the same one. */
const keyed = new KeyedPrints('c4'.repeat(32));

export type Tool = readonly [name: string, args: object];

/** Both prints, by the recipe of the packages: of what is asked anew, and of the tools that the answer asks for. */
export const printsOfCall = (asked: readonly object[], tools: readonly Tool[]) =>
  printsOf(
    { messages: asked },
    [
      {
        choices: [
          {
            message: {
              tool_calls: tools.map(([name, args], at) => ({
                id: `call_${at}`,
                type: 'function',
                function: { name, arguments: JSON.stringify(args) },
              })),
            },
          },
        ],
      },
    ],
    keyed,
  );
