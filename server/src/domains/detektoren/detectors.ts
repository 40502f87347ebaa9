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

/**
 * Runs statements over calls where they lie. Of months without statistics yet the planner takes a million calls for a few, and
 * would look through all of them for each of them: they are hashed whatever it thinks. Inside a transaction.
 */
export async function overCalls<T>({ client }: Pick<Look, 'client'>, work: () => Promise<T>): Promise<T> {
  await client.query('SET LOCAL enable_nestloop = off');
  const result = await work();
  await client.query('SET LOCAL enable_nestloop = on');
  return result;
}

/** What the detector of the rule's type finds. */
export function detect<T extends DetectedType>(look: Look, regel: Regel<T>): Promise<Found[]> {
  const detector = DETECTORS[regel.typ] as unknown as Detector<T>;
  const find = () => detector.find(look, regel);
  return detector.source === 'aufrufe' ? overCalls(look, find) : find();
}

/** The calls that findings of the rule are about; null for types that do not tell them one by one. */
export const callsOf = (look: Look, regel: DetectedRule): Calls | null =>
  (DETECTORS[regel.typ] as unknown as Detector<DetectedType>).calls?.(look, regel as Regel<DetectedType>) ??
  null;
