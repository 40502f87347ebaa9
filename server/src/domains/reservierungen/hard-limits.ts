/** Whatever stops a Mandant's calls by money: the one door through which reservations learn of limits. */
import type { GRENZBEREICHE } from '#contracts';
import { listBudgets } from '#domains/budgets/index.ts';
import { type Regel, readActiveRulesOf } from '#domains/regeln/index.ts';
import { type Eur, eurFrom } from '#kernel/money.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { ALL_CALLS, tagOf } from './tags.ts';

type Bereich = (typeof GRENZBEREICHE)[number];

export interface HardLimit {
  art: 'regel' | 'budget';
  /** Null where a budget stops by itself. */
  regelId: string | null;
  name: string;
  /** Which calls it holds for; `objekt` is empty for all. */
  bereich: Bereich;
  objekt: string;
  /** Whether it holds for each agent by itself. */
  jeAgent: boolean;
  /** Calls of agents and functions that are taken out of it. */
  ausser: ReadonlySet<string>;
  most: Eur;
  /** Of what it is a limit: a single run, a month, a window of a rule. */
  of: { kind: 'lauf' } | { kind: 'monat' } | { kind: 'fenster'; zeitfenster: string };
}

const STOPPING: readonly string[] = ['anhalten', 'sperren'];
const stops = ({ stufe, schattenbetrieb }: Pick<Regel, 'stufe' | 'schattenbetrieb'>): boolean =>
  !schattenbetrieb && STOPPING.includes(stufe);

const NONE: ReadonlySet<string> = new Set();

/** What exceptions of a rule name, where its type has any. */
function exceptedBy({ parameter }: { parameter: object }): ReadonlySet<string> {
  const { ausnahmen } = parameter as { ausnahmen?: { agenten?: string[]; funktionen?: string[] } };
  if (!ausnahmen) return NONE;
  const named = (kind: string, values: string[] = []) => values.map((value) => tagOf(kind, value));
  return new Set([...named('agent', ausnahmen.agenten), ...named('funktion', ausnahmen.funktionen)]);
}

const ofRule = (
  regel: Pick<Regel, 'regel_id' | 'name' | 'geltungsbereich' | 'bezug' | 'schwelle'> & { parameter: object },
  of: HardLimit['of'],
): HardLimit => ({
  art: 'regel',
  regelId: regel.regel_id,
  name: regel.name,
  bereich: regel.geltungsbereich,
  objekt: regel.bezug ?? '',
  jeAgent: regel.geltungsbereich === 'mandant' && (regel.parameter as { je?: string }).je === 'agent',
  ausser: exceptedBy(regel),
  most: eurFrom(regel.schwelle ?? '0'),
  of,
});

type Budget = Awaited<ReturnType<typeof listBudgets>>[number];

const ofBudget = (budget: Budget, about: Pick<HardLimit, 'regelId' | 'name' | 'most'>): HardLimit => ({
  ...about,
  art: 'budget',
  bereich: budget.objekt_art,
  objekt: budget.schluessel,
  jeAgent: false,
  ausser: NONE,
  of: { kind: 'monat' },
});

/** Budgets that stop: by themselves at 100 percent, or by a rule about them at its highest threshold. */
async function ofBudgets(tx: MandantTx): Promise<HardLimit[]> {
  const budgets = await listBudgets(tx, { limit: MOST_BUDGETS, after: null });
  if (budgets.length === 0) return [];
  const rules = (await readActiveRulesOf(tx, 'budget_schwelle')).filter(stops);
  const byThemselves = budgets
    .filter(({ bei_erreichen }) => bei_erreichen === 'sperren')
    .map((budget) =>
      ofBudget(budget, { regelId: null, name: budget.name, most: eurFrom(budget.budget_eur) }),
    );
  const byRules = budgets.flatMap((budget) =>
    rules
      .filter(
        ({ geltungsbereich, bezug }) =>
          geltungsbereich === 'mandant' ||
          (geltungsbereich === budget.objekt_art && bezug === budget.schluessel),
      )
      .map(({ regel_id: regelId, name, parameter }) =>
        ofBudget(budget, {
          regelId,
          name,
          most: ((eurFrom(budget.budget_eur) * BigInt(Math.max(...parameter.stufen))) / 100n) as Eur,
        }),
      ),
  );
  return [...byThemselves, ...byRules];
}

/** More budgets than these nobody reads. */
const MOST_BUDGETS = 2_000;

/** All of the Mandant, whatever calls they hold for. */
export async function readHardLimits(tx: MandantTx): Promise<HardLimit[]> {
  const windows = (await readActiveRulesOf(tx, 'kosten_grenze')).filter(stops);
  const runs = (await readActiveRulesOf(tx, 'lauf_deckel')).filter(
    (regel) => regel.einheit === 'eur' && stops(regel),
  );
  return [
    ...windows.map((regel) => ofRule(regel, { kind: 'fenster', zeitfenster: regel.zeitfenster ?? 'tag' })),
    ...runs.map((regel) => ofRule(regel, { kind: 'lauf' })),
    ...(await ofBudgets(tx)),
  ];
}

const tagFor = (kind: string, tags: readonly string[]): string | null =>
  tags.find((tag) => tag.startsWith(tagOf(kind, ''))) ?? null;

/** The object of a limit as reservations keep it, for a call with these tags; null where it does not hold for the call. */
export function objectOf(limit: HardLimit, tags: readonly string[]): string | null {
  const own = limit.bereich === 'mandant' ? ALL_CALLS : tagOf(limit.bereich, limit.objekt);
  if (!tags.includes(own) || tags.some((tag) => limit.ausser.has(tag))) return null;
  if (limit.of.kind === 'lauf') return tagFor('lauf', tags);
  return limit.jeAgent ? tagFor('agent', tags) : own;
}
