/** The detectors of runs, from the words of the catalogue, step by step and slowly. */
import type { Decimal } from 'decimal.js';
import type { TypeOf } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import { Exact } from '../reference-cost.ts';
import {
  type Call,
  cost,
  distinct,
  type Expected,
  isExcepted,
  latest,
  pauseOf,
  RATE,
  type Run,
  sum,
} from './calls.ts';
import { neustart } from './restarts.ts';

interface Money {
  burnt?: (Decimal | null)[];
  potential?: (Decimal | null)[];
}

/** A finding about these steps (places in the run, from 0). */
function about({ lauf, steps }: Run, places: number[], more: object, money: Money): Expected {
  const calls = places.map((place) => steps[place] as Call);
  return {
    objekt: lauf,
    fensterBeginn: (calls[0] as Call).iso,
    werte: {
      schritte: places.slice(0, 100).map((place) => steps[place]?.schritt ?? place + 1),
      anzahl: places.length,
      modelle: distinct(
        calls.map(({ modell }) => modell),
        20,
      ),
      bis: latest(calls),
      ...more,
    },
    kostenEur: cost(calls),
    verbranntEur: sum(money.burnt ?? []),
    potentialEur: sum(money.potential ?? []),
  };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const at = (run: Run, place: number) => run.steps[place] as Call;
const inEur = (usd: Decimal | null | undefined) => usd?.mul(RATE) ?? null;

/** The steps that succeeded, by their places in the run. */
const succeeded = ({ steps }: Run): number[] => [...steps.keys()].filter((place) => !steps[place]?.failed);

/** Stretches of numbers in a row. */
function stretches(numbers: number[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last && number === last.to + 1) last.to = number;
    else found.push({ from: number, to: number });
  }
  return found;
}

const sameResult = (a: Call, b: Call) => a.result === null || b.result === null || a.result === b.result;

function schleifeExakt(run: Run, regel: Regel<'schleife_exakt'>): Expected[] {
  const { pause_sekunden, zuwachs_prozent, zuwachs_token, ohne_verlauf } = regel.parameter;
  const places = succeeded(run);
  const call = (index: number) => at(run, places[index] as number);
  const repeats = range(1, places.length - 1).filter((index) => {
    const [before, now] = [call(index - 1), call(index)];
    return (
      now.prompt !== null &&
      now.prompt === before.prompt &&
      now.tool === before.tool &&
      now.modell === before.modell &&
      sameResult(before, now) &&
      pauseOf(before, now) <= pause_sekunden * 1_000 &&
      (now.T * 100 <= before.T * (100 + zuwachs_prozent) || now.T <= before.T + zuwachs_token) &&
      !isExcepted(regel, now)
    );
  });
  return stretches(repeats).flatMap(({ from, to }) => {
    const own = range(from - 1, to);
    const goesOn = range(from, to).filter(
      (index) => call(index).tool !== null && call(index).T > call(index - 1).T,
    );
    const isEnough =
      goesOn.length + 1 >= Number(regel.schwelle) ||
      own.length >= Math.max(Number(regel.schwelle), ohne_verlauf);
    if (!isEnough) return [];
    const burnt = own.slice(2, -1).map((index) => call(index).eur);
    const stretch = own.map((index) => places[index] as number);
    return [about(run, stretch, { wiederholungen: burnt.length }, { burnt })];
  });
}

function pingpong(run: Run, regel: Regel<'pingpong'>): Expected[] {
  const places = succeeded(run);
  const call = (index: number) => at(run, places[index] as number);
  const turns = range(2, places.length - 1).filter((index) => {
    const { tool } = call(index);
    const between = call(index - 1).tool;
    return (
      tool !== null &&
      between !== null &&
      tool !== between &&
      tool === call(index - 2).tool &&
      pauseOf(call(index - 1), call(index)) <= regel.parameter.pause_sekunden * 1_000 &&
      !isExcepted(regel, call(index))
    );
  });
  return stretches(turns).flatMap(({ from, to }) => {
    const own = range(from - 2, to).map((index) => places[index] as number);
    if (own.length < 2 * Number(regel.schwelle)) return [];
    const potential = own.slice(2).map((place) => at(run, place).eur);
    const askedAlike = range(from, to).filter((index) => {
      const [before, now] = [call(index - 2), call(index)];
      return now.prompt !== null && now.prompt === before.prompt && sameResult(before, now);
    });
    const found = about(run, own, { zyklen: Math.floor(own.length / 2) }, { potential });
    return [askedAlike.length * 2 < own.length - 2 ? { ...found, warnsOnly: true as const } : found];
  });
}

function bitsApart(a: string, b: string): number {
  let rest = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let bits = 0;
  for (; rest > 0n; rest >>= 1n) bits += Number(rest & 1n);
  return bits;
}

const isShape = ({ prompt, tool, T }: Call) => prompt === null && tool === null && T > 0;
const hasSameShape = (a: Call, b: Call) =>
  isShape(b) && a.modell === b.modell && a.T === b.T && a.output !== null && a.output === b.output;

const hasNearPrints = (
  a: Call,
  b: Call,
  { abstand, eingabe_prozent }: Regel<'schleife_nah'>['parameter'],
): boolean =>
  a.prompt !== null &&
  b.prompt !== null &&
  a.tool !== null &&
  a.tool === b.tool &&
  bitsApart(a.prompt, b.prompt) <= abstand &&
  Math.abs(a.T - b.T) * 100 <= Math.max(a.T, b.T) * eingabe_prozent;

function schleifeNah(run: Run, regel: Regel<'schleife_nah'>): Expected[] {
  const { schritte, pause_sekunden } = regel.parameter;
  const resembles = (a: Call, b: Call) =>
    isShape(a) ? hasSameShape(a, b) : hasNearPrints(a, b, regel.parameter);
  const good = succeeded(run);
  const isSoon = (index: number) => {
    const before = run.steps[good[index - 1] as number];
    return before !== undefined && pauseOf(before, at(run, good[index] as number)) <= pause_sekunden * 1_000;
  };
  const firing = good
    .filter((place, index) => isSoon(index) && !isExcepted(regel, at(run, place)))
    .map((place) => ({
      place,
      isShape: isShape(at(run, place)),
      alike: range(Math.max(0, place - schritte + 1), place).filter(
        (other) => !at(run, other).failed && resembles(at(run, place), at(run, other)),
      ),
    }))
    .filter((each) => each.alike.length >= Number(regel.schwelle) * (each.isShape ? 2 : 1));
  const groups: { last: number; places: Set<number>; nur_form: boolean }[] = [];
  for (const { place, alike, isShape: byShape } of firing) {
    const last = groups.at(-1);
    const group =
      last && place - last.last <= schritte - 1 ? last : { places: new Set<number>(), nur_form: false };
    for (const other of alike) group.places.add(other);
    const grown = Object.assign(group, { last: place, nur_form: group.nur_form || byShape });
    if (grown !== last) groups.push(grown);
  }
  return groups.map(({ places, nur_form }) => {
    const sorted = [...places].sort((a, b) => a - b);
    const potential = sorted.slice(1).map((place) => at(run, place).eur);
    const found = about(run, sorted, { nur_form }, { potential });
    return nur_form ? { ...found, warnsOnly: true as const } : found;
  });
}

interface Cycles {
  from: number;
  to: number;
  length: number;
}

/** The run without the calls that failed, and where its steps stand in it. */
function onlySucceeded(run: Run): { good: Run; placesOf: (from: number, to: number) => number[] } {
  const places = succeeded(run);
  const good = { ...run, steps: places.map((place) => at(run, place)) };
  return { good, placesOf: (from, to) => places.slice(from, to + 1) };
}

/** Stretches that come again after a number of steps, long enough to be found. */
function cyclesOf({ steps }: Run, { schwelle, parameter }: Regel<'zyklus'>, length: number): Cycles[] {
  const { pause_sekunden, zuwachs_token, mindest_schritte } = parameter;
  const comesAgain = (place: number): boolean => {
    const [step, before, earlier] = [steps[place], steps[place - 1], steps[place - length]];
    if (!step || !before || !earlier || step.tool === null || step.tool !== earlier.tool) return false;
    const more = step.T - before.T;
    return more >= 1 && more <= zuwachs_token && step.ms - before.ms <= pause_sekunden * 1_000;
  };
  const found: Cycles[] = [];
  for (let place = length; place < steps.length; place += 1) {
    if (!comesAgain(place)) continue;
    const from = place - length;
    while (comesAgain(place + 1)) place += 1;
    const cycles = { from, to: place, length };
    if (place - from + 1 >= Math.max(mindest_schritte, length * Number(schwelle))) found.push(cycles);
  }
  return found;
}

function zyklus(run: Run, regel: Regel<'zyklus'>): Expected[] {
  const { good, placesOf } = onlySucceeded(run);
  const all = range(1, regel.parameter.laenge).flatMap((length) => cyclesOf(good, regel, length));
  const within = (a: Cycles, b: Cycles) => b.length < a.length && b.from <= a.from && b.to >= a.to;
  const shortest = all.filter((each) => each.length !== 2 && !all.some((other) => within(each, other)));
  const isEarlier = (a: Cycles, b: Cycles) => a.from < b.from || (a.from === b.from && a.length < b.length);
  return shortest
    .filter((each) => !shortest.some((other) => isEarlier(other, each) && other.to >= each.from))
    .map(({ from, to, length }) => {
      const places = placesOf(from, to);
      const potential = places.slice(length).map((place) => at(run, place).eur);
      const zyklen = Math.floor(places.length / length);
      return about(run, places, { laenge: length, zyklen }, { potential });
    });
}

function leerlauf(run: Run, regel: Regel<'leerlauf'>): Expected[] {
  const { antwort_token, mindest_schritt_eur, zuwachs_token } = regel.parameter;
  const isIdle = (call: Call | undefined): boolean =>
    call?.tool === null &&
    call.prompt !== null &&
    (call.eur?.gte(mindest_schritt_eur) ?? false) &&
    call.output !== null &&
    call.output - call.denk <= antwort_token;
  const { good, placesOf } = onlySucceeded(run);
  const found: Expected[] = [];
  for (let first = 0; first < good.steps.length; first += 1) {
    if (!isIdle(good.steps[first])) continue;
    let last = first;
    for (let next = first + 1; isIdle(good.steps[next]); next += 1) {
      const more = at(good, next).T - at(good, next - 1).T;
      if (more < 0 || more > zuwachs_token) break;
      last = next;
    }
    const places = placesOf(first, last);
    first = last;
    if (places.length < Number(regel.schwelle)) continue;
    const denk_token = places.reduce((total, place) => total + at(run, place).denk, 0);
    const potential = places.slice(1).map((place) => at(run, place).eur);
    found.push(about(run, places, { denk_token }, { potential }));
  }
  return found;
}

function verdichtung(run: Run, regel: Regel<'verdichtung'>): Expected[] {
  const { mindest_eingabe, hoechstens_schritte } = regel.parameter;
  const { good, placesOf } = onlySucceeded(run);
  const falls = range(1, good.steps.length - 1).filter((place) => {
    const full = at(good, place - 1).T;
    return full >= mindest_eingabe && at(good, place).T * 2 <= full;
  });
  const rows: number[][] = [];
  for (const place of falls) {
    const row = rows.at(-1);
    if (row && place - (row.at(-1) as number) <= hoechstens_schritte) row.push(place);
    else rows.push([place]);
  }
  return rows
    .filter((row) => row.length >= Number(regel.schwelle))
    .map((row) => {
      const places = placesOf(row[0] as number, row.at(-1) as number);
      const potential = places.slice(1).map((place) => at(run, place).eur);
      return about(run, places, { verdichtungen: row.length }, { potential });
    });
}

const isUuid = (value: unknown): value is string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value));

/** Which run one was begun from: the least of those that its calls name, itself left out. */
function parentOf(calls: Call[]): string | null {
  const named = calls
    .map(({ sent }) => (sent.zusatz as { eltern_lauf?: unknown } | null)?.eltern_lauf)
    .filter(isUuid)
    .filter((parent) => parent !== calls[0]?.lauf);
  return named.sort()[0] ?? null;
}

function rekursion({ lauf, steps, all }: Run, regel: Regel<'rekursion'>): Expected[] {
  const agent = all.get(lauf)?.agent as string;
  const chain = [lauf];
  for (let next = parentOf(steps); next !== null && all.has(next) && !chain.includes(next); ) {
    chain.push(next);
    next = parentOf(all.get(next)?.calls as Call[]);
  }
  const tiefe = chain.filter((each) => all.get(each)?.agent === agent).length;
  if (tiefe < Number(regel.schwelle) || isExcepted(regel, { agent, sent: {} } as Call)) return [];
  return [
    {
      objekt: lauf,
      fensterBeginn: [...steps].sort((a, b) => a.ms - b.ms)[0]?.iso as string,
      werte: {
        tiefe,
        aufrufe: steps.length,
        laeufe: chain.slice(0, 20),
        laeufe_anzahl: chain.length,
        bis: latest(steps),
      },
      kostenEur: cost(chain.flatMap((each) => all.get(each)?.calls as Call[])),
      verbranntEur: null,
      potentialEur: null,
    },
  ];
}

function laufDeckel({ lauf, steps }: Run, regel: Regel<'lauf_deckel'>): Expected[] {
  const eur = cost(steps);
  const value = regel.einheit === 'eur' ? eur : String(steps.length);
  if (value === null || new Exact(value).lte(regel.schwelle as string)) return [];
  return [
    {
      objekt: lauf,
      fensterBeginn: [...steps].sort((a, b) => a.ms - b.ms)[0]?.iso as string,
      werte: {
        aufrufe: steps.length,
        fehler: steps.filter(({ isError }) => isError).length,
        unbepreist: steps.filter((step) => step.eur === null).length,
        schwelle: regel.schwelle,
        einheit: regel.einheit,
        bis: latest(steps),
      },
      kostenEur: eur,
      verbranntEur: null,
      potentialEur: null,
    },
  ];
}

/** Up from a run to where one was begun from none that is known. */
function rootOf(lauf: string, all: Run['all']): string {
  const chain = [lauf];
  for (;;) {
    const next = parentOf(all.get(chain.at(-1) as string)?.calls ?? []);
    if (next === null || !all.has(next) || chain.includes(next)) return chain.at(-1) as string;
    chain.push(next);
  }
}

function treeBelow(root: string, all: Run['all']): string[] {
  const tree = [root];
  for (const each of tree)
    for (const [lauf, { calls }] of all)
      if (parentOf(calls) === each && !tree.includes(lauf)) tree.push(lauf);
  return tree;
}

function baumDeckel({ lauf, steps, all }: Run, regel: Regel<'baum_deckel'>): Expected[] {
  if (![...all].some(([each, { isInLook }]) => isInLook && rootOf(each, all) === lauf)) return [];
  const callsOf = (each: string) => all.get(each)?.calls as Call[];
  const beginOf = (each: string) => Math.min(...callsOf(each).map(({ ms }) => ms));
  const tree = treeBelow(lauf, all).sort((a, b) => beginOf(a) - beginOf(b) || (a < b ? -1 : 1));
  const calls = tree.flatMap(callsOf);
  const eur = cost(calls);
  const value = regel.einheit === 'eur' ? eur : String(tree.length);
  if (tree.length === 1 || value === null || new Exact(value).lte(regel.schwelle as string)) return [];
  return [
    {
      objekt: lauf,
      fensterBeginn: [...steps].sort((a, b) => a.ms - b.ms)[0]?.iso as string,
      werte: {
        laeufe: tree.slice(0, 20),
        laeufe_anzahl: tree.length,
        aufrufe: calls.length,
        unbepreist: calls.filter((call) => call.eur === null).length,
        schwelle: regel.schwelle,
        einheit: regel.einheit,
        bis: latest(calls),
      },
      kostenEur: eur,
      verbranntEur: null,
      potentialEur: null,
    },
  ];
}

/** Least squares, by the deviations from the means. */
function slopeOf(values: number[]): Decimal {
  const n = values.length;
  const meanX = new Exact(n - 1).div(2);
  const meanY = values.reduce((total, y) => total.plus(y), new Exact(0)).div(n);
  const products = values.map((y, x) => new Exact(x).minus(meanX).mul(new Exact(y).minus(meanY)));
  const squares = values.map((_, x) => new Exact(x).minus(meanX).pow(2));
  const total = (all: Decimal[]) => all.reduce((a, b) => a.plus(b), new Exact(0));
  return total(products).div(total(squares));
}

function kontextwachstum(run: Run, regel: Regel<'kontextwachstum'>): Expected[] {
  const places = succeeded(run);
  const steps = places.map((place) => at(run, place));
  const { mindest_schritte, faktor, ohne_cache_prozent } = regel.parameter;
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last || steps.length < mindest_schritte || last.T < faktor * first.T) return [];
  if (isExcepted(regel, last)) return [];
  const [all, read] = [({ T }: Call) => T, ({ R }: Call) => R].map((of) =>
    steps.reduce((total, step) => total + of(step), 0),
  ) as [number, number];
  if ((all - read) * 100 < all * ohne_cache_prozent) return [];
  const slope = slopeOf(steps.map(({ T }) => T));
  // The last digits of a division that does not end.
  if (slope.toDecimalPlaces(100).lt(regel.schwelle as string)) return [];
  const potential = steps.map(({ T, R, U, rates }) => {
    let rest = Math.max(0, T - first.T);
    const take = (tokens: number) => {
      const taken = Math.min(rest, tokens);
      rest -= taken;
      return taken;
    };
    const parts: [number, Decimal | null | undefined][] = [
      [take(R), rates?.read],
      [take(U), rates?.uncached],
      [rest, rates?.write],
    ];
    if (parts.some(([, rate]) => !rate)) return null;
    return inEur(
      parts.reduce((total, [tokens, rate]) => total.plus((rate as Decimal).mul(tokens)), new Exact(0)),
    );
  });
  return [
    about(
      run,
      places,
      {
        steigung: new Exact(slope.toDecimalPlaces(60).toFixed(1)).toFixed(),
        erste_eingabe: first.T,
        letzte_eingabe: last.T,
      },
      { potential },
    ),
  ];
}

function cacheVerlust(run: Run, regel: Regel<'cache_verlust'>): Expected[] {
  const { mindest_eingabe, vorher_prozent } = regel.parameter;
  const good = succeeded(run);
  const beforeOf = (place: number) => at(run, good[good.indexOf(place) - 1] as number);
  const lost = (place: number) => {
    const [before, now] = [beforeOf(place), at(run, place)];
    const isNear = before.prompt !== null && now.prompt !== null && bitsApart(before.prompt, now.prompt) <= 3;
    return Math.max(0, Math.min(isNear ? before.T : before.T - before.U, now.T) - now.R);
  };
  const places = good.slice(1).filter((place) => {
    const [before, now] = [beforeOf(place), at(run, place)];
    return (
      now.ms - before.ms <= 300_000 &&
      now.T >= mindest_eingabe &&
      lost(place) * 100 > now.T * Number(regel.schwelle) &&
      before.T * 100 >= now.T * vorher_prozent &&
      !isExcepted(regel, now)
    );
  });
  if (places.length === 0) return [];
  const potential = places.map((place) => {
    const { U, rates } = at(run, place);
    if (!rates?.uncached || !rates.read || !rates.write) return null;
    const above = (rate: Decimal) => Exact.max(0, rate.minus(rates.read as Decimal));
    const uncached = Math.min(lost(place), U);
    return inEur(
      above(rates.uncached)
        .mul(uncached)
        .plus(above(rates.write).mul(lost(place) - uncached)),
    );
  });
  const verlorene_token = places.reduce((total, place) => total + lost(place), 0);
  return [about(run, places, { verlorene_token }, { potential })];
}

function ausgabeExplosion(run: Run, regel: Regel<'ausgabe_explosion'>): Expected[] {
  const { faktor } = regel.parameter;
  const most = Number(regel.schwelle);
  const places = [...run.steps.keys()].filter((place) => {
    const { output, T } = at(run, place);
    return output !== null && T > 0 && output > most && output > faktor * T;
  });
  if (places.length === 0) return [];
  const output = (place: number) => at(run, place).output as number;
  const potential = places.map((place) => {
    const { T, rates } = at(run, place);
    return inEur(rates?.output?.mul(output(place) - Math.max(most, faktor * T)));
  });
  const ausgabe_token = places.reduce((total, place) => total + output(place), 0);
  return [about(run, places, { ausgabe_token }, { potential })];
}

type OfRuns = { [T in TypeOf<'schritte'>]: (run: Run, regel: Regel<T>) => Expected[] };

export const STEPS = {
  schleife_exakt: schleifeExakt,
  schleife_nah: schleifeNah,
  pingpong,
  zyklus,
  leerlauf,
  verdichtung,
  rekursion,
  neustart,
  lauf_deckel: laufDeckel,
  baum_deckel: baumDeckel,
  kontextwachstum,
  cache_verlust: cacheVerlust,
  ausgabe_explosion: ausgabeExplosion,
} satisfies OfRuns;
