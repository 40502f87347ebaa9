/** A detector for each type of rule that is looked for in batches. */
import type { DetectedType } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import { denkUebermass } from './agents/denk-uebermass.ts';
import { duplikat } from './agents/duplikat.ts';
import { fehlerbrand } from './agents/fehlerbrand.ts';
import { modellVerboten } from './agents/modell-verboten.ts';
import { modellZuGross } from './agents/modell-zu-gross.ts';
import { preisFehlt } from './agents/preis-fehlt.ts';
import { wiederholsturm } from './agents/wiederholsturm.ts';
import type { Found } from './candidate.ts';
import type { Calls, Detector, Look } from './detector.ts';
import { ausgabeExplosion } from './steps/ausgabe-explosion.ts';
import { cacheVerlust } from './steps/cache-verlust.ts';
import { kontextwachstum } from './steps/kontextwachstum.ts';
import { laufDeckel } from './steps/lauf-deckel.ts';
import { pingpong } from './steps/pingpong.ts';
import { schleifeExakt } from './steps/schleife-exakt.ts';
import { schleifeNah } from './steps/schleife-nah.ts';
import { kostenGrenze, ratenGrenze } from './sums/grenze.ts';
import { kostenSpitze } from './sums/kosten-spitze.ts';
import { latenz } from './sums/latenz.ts';
import { schaetzanteil } from './sums/schaetzanteil.ts';
import { stille } from './sums/stille.ts';

export const DETECTORS: { [T in DetectedType]: Detector<T> } = {
  schleife_exakt: schleifeExakt,
  schleife_nah: schleifeNah,
  pingpong,
  lauf_deckel: laufDeckel,
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
  kosten_spitze: kostenSpitze,
  kosten_grenze: kostenGrenze,
  raten_grenze: ratenGrenze,
  latenz,
  stille,
  schaetzanteil,
};

/** A rule of a type that batches find. */
export type DetectedRule = { [T in DetectedType]: Regel<T> }[DetectedType];

/** What the detector of the rule's type finds. */
export const detect = <T extends DetectedType>(look: Look, regel: Regel<T>): Promise<Found[]> =>
  (DETECTORS[regel.typ] as unknown as Detector<T>).find(look, regel);

/** The calls that findings of the rule are about; null for types that do not tell them one by one. */
export const callsOf = (look: Look, regel: DetectedRule): Calls | null =>
  (DETECTORS[regel.typ] as unknown as Detector<DetectedType>).calls?.(look, regel as Regel<DetectedType>) ??
  null;
