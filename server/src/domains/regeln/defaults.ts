/**
 * The rules a Mandant begins with: what tells of money burnt without knowing anything about the Mandant's own business. All in
 * shadow mode but the thresholds of budgets (a user who sets a budget wants alarms of it, and an alarm stops nothing) and the limits of
 * money, which hold with proposed figures until somebody says others (`geldgrenzen.ts`).
 *
 * Left out are those that need names of the Mandant or numbers that nobody could propose (limits of quantity, lists of models), and those that
 * would cry wolf where calls are rare, long or paused by nature (silence, latency, long answers, much reasoning).
 */
import { GRENZEN, type Regeltyp, type Stufe } from '#contracts';
import { GELDGRENZEN, type Grenze, wishFor } from './geldgrenzen.ts';
import { defaultName } from './names.ts';
import { settle } from './rules.ts';
import type { RegelFields } from './store.ts';

/** What each would do, armed: a loop never ends by itself, a storm of retries does; the rest is for people to judge. */
const LEVELS = {
  schleife_exakt: 'anhalten',
  schleife_nah: 'beobachten',
  pingpong: 'anhalten',
  zyklus: 'anhalten',
  leerlauf: 'warnen',
  verdichtung: 'anhalten',
  rekursion: 'anhalten',
  neustart: 'warnen',
  lauf_deckel: 'warnen',
  baum_deckel: 'anhalten',
  wiederholsturm: 'drosseln',
  fehlerbrand: 'warnen',
  duplikat: 'beobachten',
  kontextwachstum: 'beobachten',
  cache_verlust: 'beobachten',
  kosten_spitze: 'warnen',
  budget_schwelle: 'warnen',
  budget_tempo: 'warnen',
  budget_prognose: 'warnen',
  preis_fehlt: 'warnen',
  preis_abweichend: 'warnen',
  zaehlweise_unklar: 'warnen',
  schaetzanteil: 'beobachten',
} as const satisfies Partial<Record<Regeltyp, Stufe>>;

const ARMED: readonly Regeltyp[] = ['budget_schwelle'];
/** A spike says more of one agent than of all together. */
const PARAMETERS: Partial<Record<Regeltyp, Record<string, unknown>>> = { kosten_spitze: { je: 'agent' } };

const toRule = (typ: Regeltyp, stufe: Stufe): RegelFields => ({
  ...settle({
    typ,
    geltungsbereich: 'mandant',
    bezug_id: null,
    schwelle: null,
    einheit: null,
    stufe,
    zeitfenster: null,
    schattenbetrieb: !ARMED.includes(typ),
    aktiv: true,
    parameter: PARAMETERS[typ] ?? {},
  }),
  name: defaultName(typ, null),
  bezug: null,
});

const toLimit = (grenze: Grenze): RegelFields => {
  const { name, ...wish } = wishFor(grenze, GELDGRENZEN[grenze].vorschlag);
  return { ...settle({ ...wish, bezug_id: null }), name, bezug: null };
};

export const DEFAULT_RULES: readonly RegelFields[] = [
  ...GRENZEN.map(toLimit),
  ...(Object.entries(LEVELS) as [Regeltyp, Stufe][]).map(([typ, stufe]) => toRule(typ, stufe)),
];

/** Those that came with a later release than the first rules: Mandanten of before are given them, too. In shadow mode: nothing is stopped by them. */
export const GIVEN_LATER: readonly Regeltyp[] = ['preis_abweichend', 'neustart', 'zaehlweise_unklar'];
