/**
 * What is found hour by hour, or run by run, and says the same thing each time, is one finding for each object and local day: with all
 * its calls and money, told once. Pure.
 */
import { MAX_NAMEN, type Regeltyp } from '#contracts';
import { type Eur, eurFrom, eurText, plus } from '#kernel/money.ts';
import type { Candidate } from '../candidate.ts';
import type { Look } from '../detector.ts';
import { isoOf, localBegin } from '../local-time.ts';

interface Folding {
  /** Figures that add up. */
  sums: readonly string[];
  /** The part with the highest such figure says the rest. */
  worst?: string;
  /** It is about the agent, not about each of its runs. */
  ofAgent?: true;
}

// Storms and failures are found by the hour on the stream, too, by the same keys: they are not folded.
const FOLDS: Partial<Record<Regeltyp, Folding>> = {
  kosten_spitze: { sums: [], worst: 'wert_eur' },
  latenz: { sums: [], worst: 'p95_ms' },
  schaetzanteil: { sums: ['aufrufe', 'geschaetzt'] },
  cache_verlust: { sums: ['anzahl', 'verlorene_token'], ofAgent: true },
};

const total = (parts: Candidate[], name: string): number =>
  parts.reduce((sum, { werte }) => sum + Number(werte[name] ?? 0), 0);

/** Different models of all parts, as many as are listed. */
const modelsOf = (parts: Candidate[]): unknown[] =>
  [...new Set(parts.flatMap(({ werte }) => werte.modelle ?? []))].slice(0, MAX_NAMEN);

/** The sum of what is known; null where nothing is. */
function money(parts: Candidate[], name: 'kostenEur' | 'verbranntEur' | 'potentialEur'): string | null {
  const known = parts.flatMap(({ [name]: eur }) => (eur === null ? [] : [eurFrom(eur)]));
  const [first, ...others] = known;
  return first === undefined ? null : eurText(others.reduce<Eur>((sum, each) => plus(sum, each), first));
}

const latest = (parts: Candidate[]): string =>
  parts.map(({ werte }) => String(werte.bis)).reduce((a, b) => (Temporal.Instant.compare(a, b) < 0 ? b : a));

function merged(parts: Candidate[], fensterBeginn: string, how: Folding, look: Look): Candidate {
  const { sums, worst, ofAgent } = how;
  const [first] = parts as [Candidate];
  const told = worst
    ? parts.reduce((a, b) => (Number(b.werte[worst]) > Number(a.werte[worst]) ? b : a))
    : first;
  const werte: Candidate['werte'] = { ...told.werte };
  for (const name of sums) werte[name] = total(parts, name);
  if (werte.modelle !== undefined) werte.modelle = modelsOf(parts);
  if (!worst && werte.bis !== undefined) werte.bis = latest(parts);
  // Steps of several runs are none of one.
  if (ofAgent) werte.schritte = [];
  const agent =
    ofAgent && first.agent !== null ? ({ objektArt: 'agent', objekt: first.agent, lauf: null } as const) : {};
  // Where the runs are looked at in parts, each has a finding of its own.
  const teil =
    ofAgent && look.part && look.part.of > 1 ? { teil: `${look.part.nr + 1}/${look.part.of}` } : {};
  return {
    ...told,
    ...agent,
    ...teil,
    fensterBeginn,
    werte,
    kostenEur: money(parts, 'kostenEur'),
    verbranntEur: money(parts, 'verbranntEur'),
    potentialEur: money(parts, 'potentialEur'),
  };
}

/**
 * One candidate for each rule, object and local day of those that are folded; all others as they are. Of a day that the look does not hold
 * as a whole nothing is said: its figures would shrink.
 */
export function foldByDay(look: Look, candidates: Candidate[]): Candidate[] {
  const folded = new Map<string, { parts: Candidate[]; day: string; how: Folding }>();
  const others: Candidate[] = [];
  for (const candidate of candidates) {
    const how = candidate.regel ? FOLDS[candidate.regel.typ] : undefined;
    if (!how) {
      others.push(candidate);
      continue;
    }
    const day = localBegin(Temporal.Instant.from(candidate.fensterBeginn), 'day', look.zone);
    if (Temporal.Instant.compare(day.toInstant(), look.von) < 0) continue;
    const objekt = how.ofAgent ? candidate.agent : candidate.objekt;
    const key = JSON.stringify([candidate.regel?.regel_id, objekt, isoOf(day)]);
    const group = folded.get(key) ?? { parts: [], day: isoOf(day), how };
    group.parts.push(candidate);
    folded.set(key, group);
  }
  return [...others, ...[...folded.values()].map(({ parts, day, how }) => merged(parts, day, how, look))];
}
