/**
 * The catalogue of rules: each type is one declaration, of what it looks at, when it fires, what of it a Mandant may set and what its
 * findings tell. Every number is a field of the rule (`schwelle`, `zeitfenster`, `parameter`); what stands there are its defaults.
 * Form, check, description, sentences and cockpit follow from this list, in its order.
 */
import type { Type } from './kit/index.ts';
import * as ofBudgets from './rule-types/of-budgets.ts';
import * as ofCalls from './rule-types/of-calls.ts';
import * as ofRuns from './rule-types/of-runs.ts';
import * as ofSums from './rule-types/of-sums.ts';

export {
  GELTUNGSBEREICHE,
  type Geltungsbereich,
  MAX_LAEUFE,
  MAX_NAMEN,
  MAX_SCHRITTE,
  OBJEKTARTEN,
  type Objektart,
  type Satz,
  type Schreibweise,
  STUFEN,
  type Stufe,
  URSACHEN,
  type Ursache,
} from './rule-types/kit.ts';

export const REGELTYPEN = {
  schleife_exakt: ofRuns.schleife_exakt,
  schleife_nah: ofRuns.schleife_nah,
  pingpong: ofRuns.pingpong,
  zyklus: ofRuns.zyklus,
  leerlauf: ofRuns.leerlauf,
  verdichtung: ofRuns.verdichtung,
  rekursion: ofRuns.rekursion,
  neustart: ofRuns.neustart,
  lauf_deckel: ofRuns.lauf_deckel,
  baum_deckel: ofRuns.baum_deckel,
  wiederholsturm: ofCalls.wiederholsturm,
  fehlerbrand: ofCalls.fehlerbrand,
  duplikat: ofCalls.duplikat,
  kontextwachstum: ofRuns.kontextwachstum,
  cache_verlust: ofRuns.cache_verlust,
  modell_zu_gross: ofCalls.modell_zu_gross,
  denk_uebermass: ofCalls.denk_uebermass,
  ausgabe_explosion: ofRuns.ausgabe_explosion,
  kosten_spitze: ofSums.kosten_spitze,
  kosten_grenze: ofSums.kosten_grenze,
  raten_grenze: ofSums.raten_grenze,
  budget_tempo: ofBudgets.budget_tempo,
  budget_prognose: ofBudgets.budget_prognose,
  budget_schwelle: ofBudgets.budget_schwelle,
  latenz: ofSums.latenz,
  stille: ofSums.stille,
  modell_verboten: ofCalls.modell_verboten,
  preis_fehlt: ofCalls.preis_fehlt,
  preis_abweichend: ofCalls.preis_abweichend,
  zaehlweise_unklar: ofCalls.zaehlweise_unklar,
  schaetzanteil: ofSums.schaetzanteil,
};

export type Regeltyp = keyof typeof REGELTYPEN;
export const REGELTYP_NAMEN = Object.keys(REGELTYPEN) as [Regeltyp, ...Regeltyp[]];

/** The parameters of a rule of this type, checked and filled in. */
export type ParameterVon<T extends Regeltyp> = Required<Type.Static<(typeof REGELTYPEN)[T]['parameter']>>;

export const isRegeltyp = (typ: string): typ is Regeltyp => Object.hasOwn(REGELTYPEN, typ);
