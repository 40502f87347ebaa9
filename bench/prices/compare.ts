/** Calls priced by the service and by the other lists, side by side. */
import type { Decimal } from 'decimal.js';
import type { Call } from '#test/price-cases.ts';
import { type PriceOfCall, priceOfCall } from '#test/price-of-call.ts';
import { foreignCost } from './foreign-cost.ts';
import type { ForeignList } from './lists.ts';
import { type Reason, reasonFor } from './reasons.ts';

export const VERDICTS = ['equal', 'differs', 'unknown here', 'unknown there', 'unknown to both'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What another list says of a call. */
export interface Other {
  list: string;
  verdict: Verdict;
  /** Null where the list has no price. */
  usd: Decimal | null;
  /** Why it has none: the model, or what of the call it has no rate for. */
  lacks: string | null;
  /** Why the two differ, or why it is unknown here; null where nobody has said it or need not. */
  reason: Reason | null;
}

export interface Compared<Of extends Call = Call> {
  call: Of;
  /** `provider/model` as it was looked up in the other lists; `unknown/model` of a server that names no provider. */
  listed: string | null;
  own: PriceOfCall | null;
  others: Other[];
}

type Listed = Call & { listed?: string | null };

const listedOf = ({ listed, anbieter, modell }: Listed): string | null =>
  listed === undefined ? `${anbieter ?? 'unknown'}/${modell}` : listed;

/** What the call costs by the list, or what it lacks. */
function askList(call: Call, listed: string | null, list: ForeignList): Pick<Other, 'usd' | 'lacks'> {
  if (listed === null) return { usd: null, lacks: 'model' };
  const slash = listed.indexOf('/');
  const rates = list.rates(listed.slice(0, slash), listed.slice(slash + 1));
  if (!rates) return { usd: null, lacks: 'model' };
  const cost = foreignCost(call, rates);
  return 'usd' in cost ? { usd: cost.usd, lacks: null } : { usd: null, lacks: cost.lacks };
}

function verdictOf(own: PriceOfCall | null, there: Decimal | null): Verdict {
  const here = own && !own.partial ? own.usd : null;
  if (here === null) return there === null ? 'unknown to both' : 'unknown here';
  if (there === null) return 'unknown there';
  return here.eq(there) ? 'equal' : 'differs';
}

/** The call by the service and by each list. */
export function compare<Of extends Listed>(call: Of, lists: readonly ForeignList[]): Compared<Of> {
  const own = priceOfCall(call);
  const listed = listedOf(call);
  const others = lists.map((list): Other => {
    const { usd, lacks } = askList(call, listed, list);
    const verdict = verdictOf(own, usd);
    const asksWhy = verdict !== 'equal' && verdict !== 'unknown there';
    const reason = asksWhy ? reasonFor(list.name, listed ?? '', call) : null;
    return { list: list.name, verdict, usd, lacks, reason };
  });
  return { call, listed, own, others };
}

/** Those of these verdicts of which nobody has said why, each as a sentence. */
export const unexplained = (all: readonly Compared[], verdicts: readonly Verdict[]): string[] =>
  all.flatMap(({ call, listed, own, others }) =>
    others
      .filter(({ verdict, reason }) => reason === null && verdicts.includes(verdict))
      .map(({ list, usd, verdict }) => {
        const here = own ? `${own.usd.toFixed()}${own.partial ? '+' : ''} (${own.source})` : 'no price';
        const what = JSON.stringify({ ...call.tokens, ...call.zusatz, at: call.at });
        return `${listed} ${what}: ${verdict}, ${here} here, ${usd?.toFixed() ?? 'no price'} in ${list}`;
      }),
  );
