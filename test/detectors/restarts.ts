/** The detector of plans that are begun anew, from the words of the catalogue, slowly. */
import type { Regel } from '#domains/regeln/index.ts';
import { type Call, cost, type Expected, inOrder, isExcepted, latest, type Run } from './calls.ts';

type KnownRun = NonNullable<ReturnType<Run['all']['get']>>;

const MINUTE = 60_000;
const beginOf = (calls: Call[]) => Math.min(...calls.map(({ ms }) => ms));
const endOf = (calls: Call[]) => Math.max(...calls.map(({ ms }) => ms));

/** The prompt and the tools that a run begins with; null where it has too few steps, or one without a print. */
function planOf(calls: Call[], steps: number): string | null {
  const first = inOrder(calls)
    .filter(({ failed }) => !failed)
    .slice(0, steps);
  if (first.length < steps || first.some(({ tool }) => tool === null) || !first[0]?.prompt) return null;
  return [first[0].prompt, first[0].sent.benutzer_ref ?? '', ...first.map(({ tool }) => tool)].join(' ');
}

const isAnswered = (calls: Call[]): boolean => {
  const last = inOrder(calls).at(-1) as Call;
  return !last.isError && (last.failed || (last.tool === null && !last.sent.werkzeugaufrufe));
};

/** The run that this one begins anew, the latest of them. */
function begunAnew(lauf: string, all: Run['all'], { parameter }: Regel<'neustart'>, chain: string[]) {
  const run = all.get(lauf) as KnownRun;
  const [begin, plan] = [beginOf(run.calls), planOf(run.calls, parameter.gleiche_schritte)];
  const before = [...all].filter(([other, { agent, endkunde, calls }]) => {
    if (chain.includes(other) || agent !== run.agent || endkunde !== run.endkunde) return false;
    const pause = begin - endOf(calls);
    if (pause <= 0 || pause > parameter.pause_sekunden * 1_000) return false;
    return planOf(calls, parameter.gleiche_schritte) === plan;
  });
  const [last] = before.sort(([a, one], [b, two]) => endOf(two.calls) - endOf(one.calls) || (a < b ? -1 : 1));
  const isByClock = last && (begin - beginOf(last[1].calls) + 1_000) % MINUTE <= 2_000;
  return !last || isByClock || isAnswered(last[1].calls) ? undefined : last[0];
}

/** Runs that begin the same plan anew after others that ended without an answer. */
export function neustart({ lauf, steps, all }: Run, regel: Regel<'neustart'>): Expected[] {
  const { gleiche_schritte } = regel.parameter;
  const agent = all.get(lauf)?.agent as string;
  const places = [...steps.keys()].filter((place) => !steps[place]?.failed).slice(0, gleiche_schritte);
  if (planOf(steps, gleiche_schritte) === null) return [];
  if (isExcepted(regel, { agent, sent: steps[places[0] as number]?.sent } as Call)) return [];
  const chain = [lauf];
  for (let next: string | undefined = lauf; next !== undefined && chain.length < 20; ) {
    next = begunAnew(next, all, regel, chain);
    if (next !== undefined) chain.push(next);
  }
  if (chain.length < Number(regel.schwelle)) return [];
  return [
    {
      objekt: lauf,
      fensterBeginn: [...steps].sort((a, b) => a.ms - b.ms)[0]?.iso as string,
      werte: {
        laeufe: chain,
        laeufe_anzahl: chain.length,
        schritte: places.map((place) => steps[place]?.schritt ?? place + 1),
        anzahl: places.length,
        aufrufe: steps.length,
        bis: latest(steps),
      },
      kostenEur: cost(chain.flatMap((each) => all.get(each)?.calls as Call[])),
      verbranntEur: null,
      potentialEur: null,
    },
  ];
}
