/** `npm run prices:compare -- --sweep`: the newest lists of PyPI, all models, into the parts `sweep` and `most-used` of `docs/prices.md`. */
import { callsOfGenai } from './genai.ts';
import { callsOfLitellm } from './litellm.ts';
import { type MostUsed, mostUsed, unread } from './most-used.ts';
import { fetchNewest, installedVersion, newestOnNpm, outdated } from './newest.ts';
import { contested, OUTCOMES, type Swept, sweep } from './sweep.ts';

const row = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;

const countOf = (swept: readonly Swept[], outcome: Swept['outcome']) =>
  swept.filter((each) => each.outcome === outcome).length;

/** Who is right, in words. */
function rightBy(reason: Swept['reason']): string {
  if (reason?.right === 'open') return `open; what decides: ${reason.decides}`;
  return reason?.right === 'here' ? 'right is what is said here' : 'right is the other list';
}

/** Models by their reason. */
function reasonsOf(swept: readonly Swept[]): string {
  const by = Map.groupBy(
    swept.filter(({ reason }) => reason !== null),
    ({ reason }) => reason,
  );
  return [...by]
    .map(([reason, all]) => {
      const models = new Set(all.map(({ call }) => call.listed)).size;
      return `- ${reason?.list ?? 'both'}, ${models} models, ${all.length} calls (${rightBy(reason)}): ${reason?.why}`;
    })
    .join('\n');
}

function mostUsedPart(models: readonly MostUsed[]): string {
  const head = ['model', 'read on', 'where', 'the same in'];
  const rows = models.map(({ name, read, sources, confirmed }) =>
    row([
      `\`${name}\``,
      read ?? '–',
      sources.map((url, index) => `[${index + 1}](${url})`).join(' '),
      confirmed.join(', ') || '–',
    ]),
  );
  return [row(head), row(head.map(() => '---')), ...rows].join('\n');
}

/** The parts of the page by their names, and what must not be released. */
export function sweepAll(): { parts: Record<string, string>; faults: string[] } {
  const { litellm, genai } = fetchNewest();
  const lists = [
    { name: `litellm ${litellm.version}`, swept: sweep('litellm', callsOfLitellm(litellm.json)) },
    { name: `genai-prices ${genai.version} (PyPI)`, swept: sweep('genai-prices', callsOfGenai(genai.json)) },
  ];
  const all = lists.flatMap(({ swept }) => swept);
  const head = ['list', 'models', 'calls', ...OUTCOMES, 'of which without a reason'];
  const table = [
    row(head),
    row(head.map(() => '---')),
    ...lists.map(({ name, swept }) =>
      row([
        name,
        new Set(swept.map(({ call }) => call.listed)).size,
        swept.length,
        ...OUTCOMES.map((outcome) => countOf(swept, outcome)),
        swept.filter(({ outcome, reason }) => outcome === 'differs' && reason === null).length,
      ]),
    ),
  ].join('\n');
  const unexplained = all
    .filter(({ outcome, reason }) => outcome === 'differs' && reason === null)
    .map(({ list, call, own }) => {
      const there = call.expected.toFixed();
      return `${call.listed} (${call.anbieter}), ${call.fact}: ${own?.usd} here (${own?.source}), ${there} in ${list}`;
    });
  const most = mostUsed(all);
  return {
    parts: { sweep: `${table}\n\n${reasonsOf(all)}`, 'most-used': mostUsedPart(most) },
    faults: [
      ...outdated(installedVersion(), newestOnNpm()),
      ...unexplained,
      ...contested(all).map((each) => `two lists against an entry: ${each}`),
      ...unread(most, new Date()),
    ],
  };
}
