/**
 * Distances of fingerprints: between prompts that differ by a little, and between prompts that have nothing in common. Prints the
 * table of docs/fingerprints.md. `node bench/prints/run.ts [recordings.jsonl.gz]`; the recordings are those of the replay.
 */
import { argv } from 'node:process';
import { newInput } from '#client/prints/new-input.ts';
import { KeyedPrints } from '#client/prints/sim-hash.ts';
import { readRecordings } from '#client/replay.ts';

const PAIRS = 1_000;
const keyed = new KeyedPrints('5a'.repeat(32));
const WORDS =
  'invoice customer order please check whether the payment of has arrived and write a short reply to Rechnung Kunde prüfe bitte ob die Zahlung angekommen ist antworte kurz file test error line function returns value wrong fix it again search page result title summary next'.split(
    ' ',
  );

/** The same numbers from 0 to 1 every time (mulberry32). */
function* chances(): Generator<number, never> {
  for (let seed = 20_261_126; ; ) {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

const chance = chances();
const below = (limit: number) => Math.floor(chance.next().value * limit);
const wordByChance = () => WORDS[below(WORDS.length)] as string;
const prompt = (length: number) => Array.from({ length }, wordByChance);

const print = (request: unknown) => keyed.simHash(newInput(request));
const printOfText = (words: readonly string[]) => print({ input: words.join(' ') });

function distance(a: string | null, b: string | null): number {
  let differing = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let bits = 0;
  for (; differing > 0n; differing &= differing - 1n) bits++;
  return bits;
}

const CHANGES: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  'the time of day': (words) => [...words, `2026-11-26T20:${10 + below(50)}:00Z`],
  'one word': (words) => words.with(below(words.length), 'Sonderfall'),
  'one number': (words) => [...words, String(below(100_000))],
  'five words more': (words) => [...words, ...prompt(5)],
  everything: (words) => prompt(words.length),
};

/** What is beside a change in both prompts, so that it is the only difference. */
const BASES: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  'the time of day': (words) => [...words, '2026-11-25T08:00:00Z'],
  'one number': (words) => [...words, '4711'],
};

function row(what: string, distances: readonly number[]): string {
  const sorted = distances.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  const near = sorted.filter((each) => each <= 3).length / sorted.length;
  const same = sorted.filter((each) => each === 0).length / sorted.length;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return `| ${what} | ${quantile(0.05)} | ${quantile(0.5)} | ${quantile(0.95)} | ${percent(same)} | ${percent(near)} |`;
}

console.log(
  '| difference, words of the prompt | 5 % | median | 95 % | same print | at most 3 |\n|---|---|---|---|---|---|',
);
for (const length of [10, 50, 200, 800]) {
  for (const [what, change] of Object.entries(CHANGES)) {
    const distances = Array.from({ length: PAIRS }, () => {
      const words = prompt(length);
      const base = BASES[what]?.(words) ?? words;
      return distance(printOfText(base), printOfText(change(words)));
    });
    console.log(row(`${what}, ${length}`, distances));
  }
}

const [, , file] = argv;
if (file !== undefined) {
  const requests = readRecordings(file).map((line) => (JSON.parse(line) as { request: unknown }).request);
  const prints = new Set(requests.map(print).filter((each) => each !== null));
  const all = [...prints];
  const distances = all.flatMap((a, index) => all.slice(index + 1).map((b) => distance(a, b)));
  console.log(`\n${requests.length} recorded requests, ${prints.size} different prints`);
  console.log(row('two of these', distances));
}
