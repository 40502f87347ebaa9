/** The detectors over calls of several runs, from the words of the catalogue, slowly. */
import type { Decimal } from 'decimal.js';
import type { TypeOf } from '#contracts';
import { countingRule } from '#domains/preise/index.ts';
import { minutesOf, type Regel } from '#domains/regeln/index.ts';
import { Exact, ratesOf } from '../reference-cost.ts';
import {
  beginOf,
  by,
  byTime,
  type Call,
  cost,
  distinct,
  type Expected,
  isExcepted,
  latest,
  pauseOf,
  RATE,
  sum,
} from './calls.ts';

/** What is looked at: calls from `von` on. */
export interface World {
  von: number;
  zone: string;
}

const MINUTE = 60_000;
const minutes = ({ zeitfenster }: Regel) => minutesOf(zeitfenster ?? '24h') as number;
const known = (calls: Call[]) =>
  distinct(
    calls.flatMap(({ lauf }) => lauf ?? []),
    Infinity,
  );
const modelsOf = (calls: Call[]) =>
  distinct(
    calls.map(({ modell }) => modell),
    20,
  );
const runsOf = (calls: Call[]) => ({ laeufe: known(calls).slice(0, 20), laeufe_anzahl: known(calls).length });

/** Findings about the calls of an agent (function, model) in a local day or hour. */
function about(
  objekt: string,
  fensterBeginn: string,
  calls: Call[],
  werte: object,
  money: Partial<Expected> = {},
): Expected {
  return {
    objekt,
    fensterBeginn,
    werte: { ...werte, bis: latest(calls) },
    kostenEur: cost(calls),
    verbranntEur: null,
    potentialEur: null,
    ...money,
  };
}

/** By agent and local hour; hours so early that a window of theirs may have begun before are left out. */
function byHour(
  calls: Call[],
  world: World,
  window: number,
  of: (agent: string, hour: string, calls: Call[]) => Expected,
) {
  return by(calls, (call) => `${call.agent}\n${beginOf(call, 'hour', world.zone)}`).flatMap((group) => {
    const [first] = group as [Call];
    const hour = beginOf(first, 'hour', world.zone);
    return Date.parse(hour) >= world.von + window ? [of(first.agent, hour, group)] : [];
  });
}

function wiederholsturm(calls: Call[], regel: Regel<'wiederholsturm'>, world: World): Expected[] {
  const window = minutes(regel) * MINUTE;
  const enough = Number(regel.schwelle);
  const failed = calls.filter(
    (call) => call.isError && call.prompt !== null && call.ms >= world.von && !isExcepted(regel, call),
  );
  const stormy = by(failed, ({ agent, modell, prompt }) => `${agent}\n${modell}\n${prompt}`).flatMap(
    (same) => {
      const inTime = byTime(same);
      const sorted = inTime.filter((now, place) => {
        const [two, one] = [inTime[place - 2], inTime[place - 1]];
        if (!one || !two) return false;
        const isSoon = pauseOf(one, now) <= regel.parameter.pause_sekunden * 1_000;
        return isSoon && now.ms - one.ms <= (one.ms - two.ms) * 1.4;
      });
      return sorted.filter((_, place) =>
        sorted.some((first, from) => {
          const last = sorted[from + enough - 1];
          return last && last.ms - first.ms <= window && from <= place && place <= from + enough - 1;
        }),
      );
    },
  );
  return byHour(stormy, world, window, (agent, hour, storm) =>
    about(
      agent,
      hour,
      storm,
      {
        aufrufe: storm.length,
        prompts: new Set(storm.map(({ prompt }) => prompt)).size,
        modelle: modelsOf(storm),
        ...runsOf(storm),
      },
      { verbranntEur: cost(storm) },
    ),
  );
}

function fehlerbrand(calls: Call[], regel: Regel<'fehlerbrand'>, world: World): Expected[] {
  const length = minutes(regel);
  const { mindest_aufrufe, mindest_kosten_eur, mindest_fehler } = regel.parameter;
  const minuteOf = ({ ms }: Call) => Math.floor(ms / MINUTE);
  const loaded = calls.filter(({ ms }) => ms >= world.von);
  const burning = by(loaded, ({ agent }) => agent).flatMap((own) => {
    const within = (last: number) =>
      own.filter((call) => minuteOf(call) <= last && minuteOf(call) > last - length);
    const fires = new Set(own.map(minuteOf)).values().filter((last) => {
      const window = within(last);
      const failed = window.filter((call) => call.isError);
      return (
        window.length >= mindest_aufrufe &&
        failed.length * 100 >= window.length * Number(regel.schwelle) &&
        (new Exact(cost(failed) ?? 0).gte(mindest_kosten_eur) ||
          failed.filter(({ eur }) => eur === null || eur.isZero()).length >= mindest_fehler)
      );
    });
    return [...new Set([...fires].flatMap(within))];
  });
  return byHour(burning, world, (length - 1) * MINUTE + 1, (agent, hour, fire) => {
    const failed = fire.filter((call) => call.isError);
    return about(
      agent,
      hour,
      fire,
      { aufrufe: fire.length, fehler: failed.length },
      { verbranntEur: cost(failed) },
    );
  });
}

/** Groups of one object in a local day that has been looked at as a whole. */
function byDay(calls: Call[], world: World, object: (call: Call) => string) {
  return by(calls, (call) => `${object(call)}\n${beginOf(call, 'day', world.zone)}`).flatMap((group) => {
    const [first] = group as [Call];
    const day = beginOf(first, 'day', world.zone);
    return Date.parse(day) >= world.von ? [{ objekt: object(first), day, group }] : [];
  });
}

const agentOf = ({ agent }: Call) => agent;

function duplikat(calls: Call[], regel: Regel<'duplikat'>, world: World): Expected[] {
  const near = regel.parameter.abstand_sekunden * 1_000;
  const successful = calls.filter(
    (call) => !call.failed && call.prompt !== null && call.lauf !== null && !isExcepted(regel, call),
  );
  return byDay(successful, world, () => '').flatMap(({ day, group }) => {
    const groups = by(group, ({ prompt, tool, T, modell }) => `${prompt}\n${tool}\n${T}\n${modell}`)
      .map((same) => {
        const inTime = byTime(same);
        return inTime.filter(
          ({ ms }, index) =>
            ms - (inTime[index - 1]?.ms ?? -Infinity) <= near ||
            (inTime[index + 1]?.ms ?? Infinity) - ms <= near,
        );
      })
      .filter((same) => known(same).length >= Number(regel.schwelle));
    const firsts = new Set(groups.map(([first]) => first));
    return by(groups.flat(), agentOf).map((own) => {
      const agent = agentOf(own[0] as Call);
      const gruppen = groups.filter((same) => same.some((call) => agentOf(call) === agent)).length;
      const werte = { gruppen, aufrufe: own.length, modelle: modelsOf(own), ...runsOf(own) };
      return about(agent, day, own, werte, { potentialEur: cost(own.filter((call) => !firsts.has(call))) });
    });
  });
}

function denkUebermass(calls: Call[], regel: Regel<'denk_uebermass'>, world: World): Expected[] {
  const { ausgabe_prozent, anteil_prozent, mindest_aufrufe } = regel.parameter;
  const isTooMuch = ({ denk, output }: Call) =>
    output !== null && denk >= Number(regel.schwelle) && denk * 100 >= output * ausgabe_prozent;
  return byDay(calls, world, agentOf).flatMap(({ objekt, day, group }) => {
    const excess = group.filter(isTooMuch);
    if (
      excess.length === 0 ||
      group.length < mindest_aufrufe ||
      excess.length * 100 < group.length * anteil_prozent
    )
      return [];
    const werte = {
      aufrufe: group.length,
      uebermaessige: excess.length,
      denk_token: excess.reduce((total, { denk }) => total + denk, 0),
      modelle: modelsOf(group),
    };
    const potentialEur = sum(
      excess.map(
        ({ denk, output, rates }) => rates?.output?.mul(Math.min(denk, output as number)).mul(RATE) ?? null,
      ),
    );
    return [about(objekt, day, group, werte, { potentialEur })];
  });
}

function modellZuGross(calls: Call[], regel: Regel<'modell_zu_gross'>, world: World): Expected[] {
  const { erlaubt, anteil_prozent, ausgabe_token, eingabe_token, preis_teiler } = regel.parameter;
  const isSmall = ({ failed, output, T, denk, sent }: Call) =>
    !failed &&
    output !== null &&
    output <= ausgabe_token &&
    T <= eingabe_token &&
    denk === 0 &&
    !sent.werkzeugaufrufe;
  const with_ = (modell: string, { ms, T, U, R, output }: Call): Decimal | null => {
    const rates = ratesOf({ anbieter: null, modell }, new Date(ms), new Exact(T));
    if (!rates?.uncached || !rates.read || !rates.write || !rates.output) return null;
    const parts = [
      rates.uncached.mul(U),
      rates.read.mul(R),
      rates.write.mul(T - U - R),
      rates.output.mul(output ?? 0),
    ];
    return parts.reduce((total, part) => total.plus(part), rates.call).mul(RATE);
  };
  const named = calls.filter(({ sent }) => sent.funktion_ref);
  return byDay(named, world, ({ sent }) => sent.funktion_ref as string).flatMap(({ objekt, day, group }) => {
    const small = group.filter(isSmall);
    const paid = sum(small.map(({ eur }) => eur));
    if (group.length < Number(regel.schwelle) || small.length * 100 < group.length * anteil_prozent)
      return [];
    if (paid === null || new Exact(paid).lte(0)) return [];
    const others = [...new Set(erlaubt)].flatMap((modell) => {
      const costs = small.filter(({ eur }) => eur !== null).map((call) => with_(modell, call));
      return costs.includes(null) ? [] : [{ modell, kosten: new Exact(sum(costs) as string) }];
    });
    const [cheapest] = others.sort((a, b) => a.kosten.cmp(b.kosten) || (a.modell < b.modell ? -1 : 1));
    if (!cheapest || cheapest.kosten.mul(preis_teiler).gt(paid)) return [];
    const werte = {
      aufrufe: group.length,
      kleine: small.length,
      modelle: modelsOf(group),
      ersatz: cheapest.modell,
      ersatz_eur: cheapest.kosten.toFixed(),
    };
    const potentialEur = new Exact(paid).minus(cheapest.kosten).toFixed();
    return [about(objekt, day, group, werte, { kostenEur: paid, potentialEur })];
  });
}

function modellVerboten(calls: Call[], regel: Regel<'modell_verboten'>, world: World): Expected[] {
  const isAllowed = (modell: string) =>
    regel.parameter.erlaubt.some((name) =>
      name.endsWith('*') ? modell.startsWith(name.slice(0, -1)) : modell === name,
    );
  const forbidden = calls.filter(({ modell }) => modell !== '' && !isAllowed(modell));
  return byDay(forbidden, world, agentOf).map(({ objekt, day, group }) =>
    about(objekt, day, group, { aufrufe: group.length, modelle: modelsOf(group), ...runsOf(group) }),
  );
}

const agentsOf = (group: readonly Call[]) =>
  distinct(
    group.map(({ agent }) => agent),
    20,
  );

function preisFehlt(calls: Call[], _regel: Regel<'preis_fehlt'>, world: World): Expected[] {
  const unpriced = calls.filter(({ eur, output }) => eur === null && output !== null);
  return byDay(unpriced, world, ({ modell }) => modell).map(({ objekt, day, group }) => {
    const anbieter = distinct(
      group.map(({ sent }) => sent.anbieter ?? ''),
      20,
    );
    return about(
      objekt,
      day,
      group,
      { aufrufe: group.length, anbieter, agenten: agentsOf(group) },
      { kostenEur: null },
    );
  });
}

function preisAbweichend(calls: Call[], regel: Regel<'preis_abweichend'>, world: World): Expected[] {
  const factor = new Exact(regel.schwelle as string);
  const reported = ({ sent }: Call) => {
    const said = (sent.zusatz as Record<string, unknown> | null)?.gemeldete_kosten_usd;
    return said === undefined ? null : new Exact(said as string).mul(RATE);
  };
  const differing = calls.filter((call) => {
    const said = reported(call);
    if (said === null || call.eur === null) return false;
    return said.gt(call.eur.mul(factor)) || said.mul(factor).lt(call.eur);
  });
  return byDay(differing, world, ({ modell }) => modell).map(({ objekt, day, group }) => {
    const anbieter = distinct(
      group.map(({ sent }) => sent.anbieter ?? ''),
      20,
    );
    const werte = {
      aufrufe: group.length,
      gemeldet_eur: sum(group.map(reported)),
      gezaehlt_eur: cost(group),
      anbieter,
      agenten: agentsOf(group),
    };
    return about(objekt, day, group, werte);
  });
}

function zaehlweiseUnklar(calls: Call[], _regel: Regel<'zaehlweise_unklar'>, world: World): Expected[] {
  const cachedOf = ({ sent }: Call) => (sent.cache_lese_token ?? 0) + (sent.cache_schreib_token ?? 0);
  const isImpossible = (call: Call) =>
    typeof call.sent.eingabe_token === 'number' && cachedOf(call) > call.sent.eingabe_token;
  const read = calls.filter((call) => {
    const said = (call.sent.zusatz as Record<string, unknown> | null)?.eingabe_umfasst_cache;
    const rule = countingRule(call.sent.anbieter ?? null, call.sent.modell ?? null);
    return cachedOf(call) > 0 && (typeof said === 'boolean' ? said : rule.eingabeUmfasstCache);
  });
  return byDay(read, world, ({ modell }) => modell).flatMap(({ objekt, day, group }) => {
    const found = group.filter(isImpossible);
    if (found.length === 0) return [];
    const anbieter = distinct(
      found.map(({ sent }) => sent.anbieter ?? ''),
      20,
    );
    const andere = group.filter(
      (call) => call.sent.eingabe_token !== null && call.sent.eingabe_token !== undefined,
    ).length;
    const werte = {
      aufrufe: found.length,
      andere: andere - found.length,
      anbieter,
      agenten: agentsOf(found),
    };
    return about(objekt, day, found, werte);
  });
}

type OfCalls = { [T in TypeOf<'aufrufe'>]: (calls: Call[], regel: Regel<T>, world: World) => Expected[] };

export const AGENTS = {
  wiederholsturm,
  fehlerbrand,
  duplikat,
  denk_uebermass: denkUebermass,
  modell_zu_gross: modellZuGross,
  modell_verboten: modellVerboten,
  preis_fehlt: preisFehlt,
  preis_abweichend: preisAbweichend,
  zaehlweise_unklar: zaehlweiseUnklar,
} satisfies OfCalls;
