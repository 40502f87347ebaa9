/**
 * The rules a Mandant begins with: what tells of money burnt without knowing anything about the Mandant's own business. All in
 * shadow mode but the thresholds of budgets: whoever sets a budget wants to be told of it, and being told stops nothing.
 *
 * Left out are those that need numbers or names of the Mandant (limits of cost and quantity, lists of models), and those that
 * would cry wolf where calls are rare, long or paused by nature (silence, latency, long answers, much reasoning).
 */
import type { Regeltyp, Stufe } from '#contracts';
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
  lauf_deckel: 'warnen',
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
  schaetzanteil: 'beobachten',
} as const satisfies Partial<Record<Regeltyp, Stufe>>;

const ARMED: readonly Regeltyp[] = ['budget_schwelle'];

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
    parameter: {},
  }),
  name: defaultName(typ, null),
  bezug: null,
});

export const DEFAULT_RULES: readonly RegelFields[] = (Object.entries(LEVELS) as [Regeltyp, Stufe][]).map(
  ([typ, stufe]) => toRule(typ, stufe),
);
