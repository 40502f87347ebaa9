/** The detectors of runs, from the words of the catalogue, step by step and slowly. */
import type { Decimal } from 'decimal.js';
import type { TypeOf } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import { Exact } from '../reference-cost.ts';
import { type Call, cost, distinct, type Expected, latest, RATE, sum } from './calls.ts';

/** A run: its calls in order, every one of them. */
export interface Run {
  lauf: string;
  steps: Call[];
}

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

function schleifeExakt(run: Run, regel: Regel<'schleife_exakt'>): Expected[] {
  const found: Expected[] = [];
  for (let first = 0, next = 1; first < run.steps.length; first = next, next = first + 1) {
    const same = (call: Call | undefined) =>
      call !== undefined &&
      call.prompt !== null &&
      call.prompt === at(run, first).prompt &&
      call.tool === at(run, first).tool &&
      call.modell === at(run, first).modell;
    while (same(run.steps[next])) next += 1;
    if (next - first < Number(regel.schwelle) || next - first < 2) continue;
    const places = range(first, next - 1);
    const repeats = places.slice(2);
    const burnt = repeats.map((place) => at(run, place).eur);
    found.push(about(run, places, { wiederholungen: repeats.length }, { burnt }));
  }
  return found;
}

function pingpong(run: Run, regel: Regel<'pingpong'>): Expected[] {
  const found: Expected[] = [];
  let first = 0;
  while (first + 1 < run.steps.length) {
    const [a, b] = [at(run, first).tool, at(run, first + 1).tool];
    let next = first + 2;
    if (a !== null && b !== null && a !== b)
      while (run.steps[next]?.tool === ((next - first) % 2 === 0 ? a : b)) next += 1;
    const places = range(first, next - 1);
    if (places.length > 2 && places.length >= 2 * Number(regel.schwelle)) {
      const potential = places.slice(2).map((place) => at(run, place).eur);
      found.push(about(run, places, { zyklen: Math.floor(places.length / 2) }, { potential }));
    }
    // The last step may begin another alternation.
    first = Math.max(first + 1, next - 1);
  }
  return found;
}

function bitsApart(a: string, b: string): number {
  let rest = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let bits = 0;
  for (; rest > 0n; rest >>= 1n) bits += Number(rest & 1n);
  return bits;
}

function schleifeNah(run: Run, regel: Regel<'schleife_nah'>): Expected[] {
  const { schritte, abstand, eingabe_prozent } = regel.parameter;
  const resembles = (a: Call, b: Call) =>
    a.prompt !== null &&
    b.prompt !== null &&
    a.tool === b.tool &&
    bitsApart(a.prompt, b.prompt) <= abstand &&
    Math.abs(a.T - b.T) * 100 <= Math.max(a.T, b.T) * eingabe_prozent;
  const groups: { last: number; places: Set<number> }[] = [];
  for (const place of run.steps.keys()) {
    const alike = range(Math.max(0, place - schritte + 1), place).filter((other) =>
      resembles(at(run, place), at(run, other)),
    );
    if (alike.length < Number(regel.schwelle)) continue;
    const group = groups.at(-1);
    if (group && place - group.last <= schritte - 1) {
      group.last = place;
      for (const other of alike) group.places.add(other);
    } else groups.push({ last: place, places: new Set(alike) });
  }
  return groups.map(({ places }) => {
    const sorted = [...places].sort((a, b) => a - b);
    return about(run, sorted, {}, { potential: sorted.slice(1).map((place) => at(run, place).eur) });
  });
}

interface Cycles {
  from: number;
  to: number;
  length: number;
}

/** Stretches that come again after so many steps, long enough to be told. */
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
  const all = range(1, regel.parameter.laenge).flatMap((length) => cyclesOf(run, regel, length));
  const within = (a: Cycles, b: Cycles) => b.length < a.length && b.from <= a.from && b.to >= a.to;
  const shortest = all.filter((each) => each.length !== 2 && !all.some((other) => within(each, other)));
  const isEarlier = (a: Cycles, b: Cycles) => a.from < b.from || (a.from === b.from && a.length < b.length);
  return shortest
    .filter((each) => !shortest.some((other) => isEarlier(other, each) && other.to >= each.from))
    .map(({ from, to, length }) => {
      const places = range(from, to);
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
  const found: Expected[] = [];
  for (let first = 0; first < run.steps.length; first += 1) {
    if (!isIdle(run.steps[first])) continue;
    let last = first;
    for (let next = first + 1; isIdle(run.steps[next]); next += 1) {
      const more = at(run, next).T - at(run, next - 1).T;
      if (more < 0 || more > zuwachs_token) break;
      last = next;
    }
    const places = range(first, last);
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
  const falls = range(1, run.steps.length - 1).filter((place) => {
    const full = at(run, place - 1).T;
    return full >= mindest_eingabe && at(run, place).T * 2 <= full;
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
      const places = range(row[0] as number, row.at(-1) as number);
      const potential = places.slice(1).map((place) => at(run, place).eur);
      return about(run, places, { verdichtungen: row.length }, { potential });
    });
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
        fehler: steps.filter(({ failed }) => failed).length,
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
  const { steps } = run;
  const { mindest_schritte, faktor } = regel.parameter;
  const first = at(run, 0);
  const last = at(run, steps.length - 1);
  if (steps.length < mindest_schritte || last.T < faktor * first.T) return [];
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
      range(0, steps.length - 1),
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
  const lost = (place: number) =>
    Math.max(0, Math.min(at(run, place - 1).T, at(run, place).T) - at(run, place).R);
  const places = range(1, run.steps.length - 1).filter((place) => {
    const [before, now] = [at(run, place - 1), at(run, place)];
    return (
      now.ms - before.ms <= 300_000 &&
      now.T >= mindest_eingabe &&
      (now.T - now.R) * 100 > now.T * Number(regel.schwelle) &&
      before.T * 100 >= now.T * vorher_prozent
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
  lauf_deckel: laufDeckel,
  kontextwachstum,
  cache_verlust: cacheVerlust,
  ausgabe_explosion: ausgabeExplosion,
} satisfies OfRuns;
