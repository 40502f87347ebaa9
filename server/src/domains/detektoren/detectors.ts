/** A detector for each type of rule that is looked for in batches. */
import {
  DETECTED_TYPES,
  type DetectedType,
  REGELTYPEN,
  type TypeOf,
  typesOfCause,
  type Ursache,
} from '#contracts';
import type { Regel, RegelVon } from '#domains/regeln/index.ts';
import { denkUebermass } from './agents/denk-uebermass.ts';
import { duplikat } from './agents/duplikat.ts';
import { fehlerbrand } from './agents/fehlerbrand.ts';
import { modellVerboten } from './agents/modell-verboten.ts';
import { modellZuGross } from './agents/modell-zu-gross.ts';
import { preisAbweichend } from './agents/preis-abweichend.ts';
import { preisFehlt } from './agents/preis-fehlt.ts';
import { wiederholsturm } from './agents/wiederholsturm.ts';
import { zaehlweiseUnklar } from './agents/zaehlweise-unklar.ts';
import { overCalls } from './calls/over-calls.ts';
import type { Found } from './candidate.ts';
import type { CallDetector, Calls, Detector, Look, RunDetector, SumDetector } from './detector.ts';
import { ausgabeExplosion } from './steps/ausgabe-explosion.ts';
import { baumDeckel } from './steps/baum-deckel.ts';
import { cacheVerlust } from './steps/cache-verlust.ts';
import { kontextwachstum } from './steps/kontextwachstum.ts';
import { laufDeckel } from './steps/lauf-deckel.ts';
import { leerlauf } from './steps/leerlauf.ts';
import { neustart } from './steps/neustart.ts';
import { pingpong } from './steps/pingpong.ts';
import { rekursion } from './steps/rekursion.ts';
import { schleifeExakt } from './steps/schleife-exakt.ts';
import { schleifeNah } from './steps/schleife-nah.ts';
import { verdichtung } from './steps/verdichtung.ts';
import { zyklus } from './steps/zyklus.ts';
import { kostenGrenze, ratenGrenze } from './sums/grenze.ts';
import { kostenSpitze } from './sums/kosten-spitze.ts';
import { latenz } from './sums/latenz.ts';
import { schaetzanteil } from './sums/schaetzanteil.ts';
import { stille } from './sums/stille.ts';

export const DETECTORS: { [T in DetectedType]: Detector<T> } = {
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
  wiederholsturm,
  fehlerbrand,
  duplikat,
  modell_zu_gross: modellZuGross,
  denk_uebermass: denkUebermass,
  modell_verboten: modellVerboten,
  preis_fehlt: preisFehlt,
  preis_abweichend: preisAbweichend,
  zaehlweise_unklar: zaehlweiseUnklar,
  kosten_spitze: kostenSpitze,
  kosten_grenze: kostenGrenze,
  raten_grenze: ratenGrenze,
  latenz,
  stille,
  schaetzanteil,
};

/** A rule of a type that is looked for in this. */
type RuleOf<T extends DetectedType> = { [K in T]: Regel<K> }[T];
/** A rule of a type that detectors find. */
export type DetectedRule = RuleOf<DetectedType>;
export type RunRule = RuleOf<TypeOf<'schritte'>>;
export type CallRule = RuleOf<TypeOf<'aufrufe'>>;
export type SumRule = RuleOf<TypeOf<'summen'>>;

export const isDetected = (rule: { typ: string }): rule is DetectedRule =>
  DETECTED_TYPES.some((typ) => typ === rule.typ);
const isOf = (rule: RegelVon, quelle: string): boolean => REGELTYPEN[rule.typ].quelle === quelle;
export const isRunRule = (rule: RegelVon): rule is RunRule => isOf(rule, 'schritte');
export const isCallRule = (rule: RegelVon): rule is CallRule => isOf(rule, 'aufrufe');
export const isSumRule = (rule: RegelVon): rule is SumRule => isOf(rule, 'summen');

/** Whether findings of a type say what of their calls was spent for this cause. */
export const isOfCause = ({ typ }: Pick<RegelVon, 'typ'>, ursache: Ursache): boolean =>
  typesOfCause(ursache).includes(typ);

/** How the type of a rule is looked for, whichever it is. */
export const ofRuns = (rule: RunRule) => DETECTORS[rule.typ] as unknown as RunDetector<RunRule['typ']>;
export const ofCalls = (rule: CallRule) => DETECTORS[rule.typ] as unknown as CallDetector<CallRule['typ']>;
export const ofSums = (rule: SumRule) => DETECTORS[rule.typ] as unknown as SumDetector<SumRule['typ']>;

/** What the detector of the rule's type finds. */
export function detect<T extends DetectedType>(look: Look, regel: Regel<T>): Promise<Found[]> {
  const detector = DETECTORS[regel.typ] as { find(look: Look, regel: Regel<T>): Promise<Found[]> };
  const find = () => detector.find(look, regel);
  return REGELTYPEN[regel.typ].quelle === 'aufrufe' ? overCalls(look, find) : find();
}

/** The calls that findings of the rule are about; null for types that do not tell them one by one. */
export function callsOf(look: Look, regel: DetectedRule): Calls | null {
  const { calls } = DETECTORS[regel.typ] as {
    calls: ((look: Look, regel: DetectedRule) => Calls | null) | null;
  };
  return calls?.(look, regel) ?? null;
}
