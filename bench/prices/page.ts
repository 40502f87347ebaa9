/** What `docs/prices.md` holds that is made: the lists, the cases, the recorded real calls. */
import { Decimal } from 'decimal.js';
import type { Call, PriceCase } from '#test/price-cases.ts';
import { type Compared, type Other, VERDICTS } from './compare.ts';
import type { ForeignList } from './lists.ts';
import type { Reason } from './reasons.ts';

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const grouped = (value: number): string => value.toLocaleString('en-US');

// ── the counts ──────────────────────────────────────────────────────────────────────────────────────────────

function countsOf(all: readonly Compared[], lists: readonly ForeignList[]): string {
  const rows = lists.map(({ name }, index) => [
    name,
    ...VERDICTS.map((verdict) =>
      String(all.filter(({ others }) => others[index]?.verdict === verdict).length),
    ),
  ]);
  return table(['against', ...VERDICTS], rows);
}

/** How often what is said here is confirmed by another list, contradicted by one and confirmed by none, or stands alone. */
function standingOf(all: readonly Compared[]): string {
  const priced = all.filter(({ own }) => own !== null && !own.partial);
  const has = ({ others }: Compared, verdict: Other['verdict']) =>
    others.some((other) => other.verdict === verdict);
  const confirmed = priced.filter((each) => has(each, 'equal'));
  const contradicted = priced.filter((each) => !has(each, 'equal') && has(each, 'differs'));
  const alone = priced.length - confirmed.length - contradicted.length;
  const own = confirmed.filter((each) => each.own?.source.startsWith('zaehlwerk'));
  return (
    `Of ${all.length} calls, ${priced.length} are priced in full here: ${confirmed.length} as at least one other list has it ` +
    `(${own.length} of them by the supplement), ${contradicted.length} where another list says something else and none the same, ` +
    `${alone} of which no other list says anything.`
  );
}

// ── why ─────────────────────────────────────────────────────────────────────────────────────────────────────

const RIGHT: Record<Reason['right'], string> = {
  here: 'right is what is said here',
  there: 'right is the other list',
  open: 'open',
};

/** Each reason once, with the models and lists it was needed for. */
function reasonsOf(all: readonly Compared[], verdicts: readonly Other['verdict'][]): string {
  const uses = new Map<Reason, { models: Set<string>; lists: Set<string> }>();
  for (const { listed, others } of all)
    for (const { reason, list, verdict } of others) {
      if (reason === null || !verdicts.includes(verdict)) continue;
      const use = uses.get(reason) ?? { models: new Set(), lists: new Set() };
      use.models.add(`\`${listed}\``);
      use.lists.add(list);
      uses.set(reason, use);
    }
  return [...uses]
    .map(
      ([{ why, right }, { models, lists }]) =>
        `- ${[...models].join(', ')} (${[...lists].join(', ')}; ${RIGHT[right]}): ${why}`,
    )
    .join('\n');
}

// ── the parts of the page ───────────────────────────────────────────────────────────────────────────────────

const WORDS: [keyof Call['tokens'], string][] = [
  ['eingabe', 'in'],
  ['lesen', 'read from the cache'],
  ['schreiben', 'written to the cache'],
  ['ausgabe', 'out'],
  ['denk', 'of reasoning'],
];

/** The call in words: its tokens, what else it says, its day where that matters. */
function wordsOf({ tokens, zusatz = {}, at }: Call): string {
  const counts = WORDS.flatMap(([name, word]) => (tokens[name] ? [`${grouped(tokens[name])} ${word}`] : []));
  const facts = Object.entries(zusatz).map(([name, value]) => `\`${name}\` ${value}`);
  return [...counts, ...facts, ...(at === undefined ? [] : [at.slice(0, 10)])].join(', ');
}

function cellOf({ verdict, usd, lacks }: Other): string {
  if (verdict === 'equal') return 'equal';
  if (usd !== null) return `**${usd.toFixed()}**`;
  return lacks === 'model' ? '–' : `no rate for ${lacks}`;
}

const hereOf = ({ own }: Compared): string =>
  own === null ? '–' : `${own.usd.toFixed()}${own.partial ? '+' : ''}`;

/** The lists with their versions. */
export const listsPart = (lists: readonly ForeignList[]): string =>
  table(
    ['list', 'version', 'rates as of', 'models'],
    lists.map(({ name, version, asOf, entries }) => [
      `[${name}](https://www.npmjs.com/package/${name}/v/${version})`,
      version,
      asOf,
      grouped(entries),
    ]),
  );

/** The cases: counts, every call, why some differ. */
export function casesPart(
  groups: Readonly<Record<string, readonly Compared<PriceCase>[]>>,
  lists: readonly ForeignList[],
): string {
  const all = Object.values(groups).flat();
  const tables = Object.entries(groups).map(([what, cases]) => {
    const rows = cases.map((each) => [
      `\`${each.call.anbieter ?? '?'}\` \`${each.call.modell}\``,
      wordsOf(each.call),
      hereOf(each),
      ...each.others.map(cellOf),
    ]);
    return `### ${what.charAt(0).toUpperCase()}${what.slice(1)}\n\n${table(['model', 'call', 'here', ...lists.map(({ name }) => name)], rows)}`;
  });
  return [
    standingOf(all),
    countsOf(all, lists),
    ...tables,
    '### Why some differ',
    reasonsOf(all, ['differs', 'unknown here']),
  ].join('\n\n');
}

/** USD of the calls that both have a price for, here and there. */
function sumsOf(all: readonly Compared[], lists: readonly ForeignList[]): string {
  const rows = lists.map(({ name }, index) => {
    const both = all.flatMap(({ own, others }) => {
      const usd = others[index]?.usd;
      return own && !own.partial && usd ? [[own.usd, usd] as const] : [];
    });
    const sum = (side: 0 | 1) => both.reduce((total, pair) => total.plus(pair[side]), new Decimal(0));
    return [name, String(both.length), sum(0).toFixed(8), sum(1).toFixed(8)];
  });
  return table(['against', 'calls that both price', 'USD here', 'USD there'], rows);
}

/** What the other lists do not have, model by model. */
function unknownThere(all: readonly Compared[]): string {
  const calls = new Map<string, number>();
  for (const { listed, others } of all)
    for (const { list, verdict, lacks } of others) {
      if (verdict !== 'unknown there') continue;
      const key = [
        `\`${listed}\``,
        list,
        lacks === 'model' ? 'not in the list' : `no rate for ${lacks}`,
      ].join('|');
      calls.set(key, (calls.get(key) ?? 0) + 1);
    }
  const rows = [...calls]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, count]) => [...key.split('|'), String(count)]);
  return table(['model', 'unknown to', 'why', 'calls'], rows);
}

/** The recorded real calls in sums; no call is shown by itself. */
export function recordingsPart(
  all: readonly Compared[],
  uncounted: number,
  lists: readonly ForeignList[],
): string {
  const models = new Set(all.map(({ listed }) => listed));
  return [
    `${all.length + uncounted} recorded real calls; of ${uncounted} the provider gave no counts, which have no price by any list. ` +
      `The other ${all.length} are of ${models.size} models.`,
    standingOf(all),
    countsOf(all, lists),
    sumsOf(all, lists),
    '### Differing, or unknown here',
    reasonsOf(all, ['differs', 'unknown here', 'unknown to both']),
    '### Unknown there',
    unknownThere(all),
  ].join('\n\n');
}

/** How far each list agrees on all of its models, by provider. */
export function breadthPart(
  lists: readonly [ForeignList, ReadonlyMap<string, readonly Compared[]>][],
): string {
  const parts = lists.map(([{ name }, byProvider]) => {
    const rows = [['all', [...byProvider.values()].flat()] as const, ...[...byProvider].sort()].map(
      ([provider, all]) => {
        const count = (verdict: Other['verdict']) =>
          String(all.filter(({ others }) => others[0]?.verdict === verdict).length);
        return [provider, count('equal'), count('differs'), count('unknown here')];
      },
    );
    return table([name, 'equal', 'differs', 'unknown here'], rows);
  });
  return parts.join('\n\n');
}

// ── into the document ───────────────────────────────────────────────────────────────────────────────────────

const begin = (name: string) => `<!-- made by npm run prices:compare: ${name} -->`;
const END = '<!-- end -->';

/** Where what stands in the document under that name begins and ends. */
export function boundsOf(text: string, name: string): [number, number] {
  const start = text.indexOf(begin(name));
  const end = text.indexOf(END, start);
  if (start < 0 || end < 0) throw new Error(`the document has no place for "${name}"`);
  return [start + begin(name).length, end];
}

/** The document with another content under that name. */
export function withPart(text: string, name: string, content: string): string {
  const [start, end] = boundsOf(text, name);
  return `${text.slice(0, start)}\n\n${content}\n\n${text.slice(end)}`;
}
