import { hash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type {
  BodyOf,
  eingriffAnlegen,
  eingriffeAktiv,
  eingriffeListe,
  QueryOf,
  ResponseOf,
} from '#contracts';
import { readAgent } from '#domains/katalog/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { InvalidInput, notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import type { Recipient } from './handed-out.ts';
import type { InForce } from './in-force.ts';
import { isInForce, restMinutesOf, toApi } from './rules.ts';
import {
  type EingriffRow,
  type Gnade,
  insertByHand,
  liftEingriff,
  lockEingriff,
  readAgentOfRun,
  readEingriffe,
  readInForce,
  readOfBefund,
  readOfBefunde,
  readRuhezeit,
  readRunFigures,
} from './store.ts';

const DAY_MS = 86_400_000;
const cursor = cursorOf('eingriffe', 'uuid');
const inForceCursor = cursorOf('eingriffe_in_kraft', 'place', 'uuid');

/** A page of the interventions of the last days, latest first, or of those in force, wider ones first. */
export async function listEingriffe(
  { db, clock }: ServiceContext,
  mandant: MandantId,
  { tage, in_kraft, limit, nach }: QueryOf<typeof eingriffeListe>,
): Promise<ResponseOf<typeof eingriffeListe>> {
  const now = clock.now();
  if (in_kraft) {
    const after = inForceCursor.read(nach);
    const found = await db.forMandant(mandant, (tx) => readInForce(tx, now.toISOString(), limit + 1, after));
    const page = pageOf(found, limit, inForceCursor, ({ breite, eingriff_id }) => [
      String(breite),
      eingriff_id,
    ]);
    return { eingriffe: page.rows.map((row) => toApi(row, now)), weiter: page.weiter };
  }
  const [after] = cursor.read(nach) ?? [];
  const since = new Date(now.getTime() - tage * DAY_MS).toISOString();
  const found = await db.forMandant(mandant, (tx) => readEingriffe(tx, { since, limit: limit + 1, after }));
  const { rows, weiter } = pageOf(found, limit, cursor, ({ eingriff_id }) => [eingriff_id]);
  return { eingriffe: rows.map((row) => toApi(row, now)), weiter };
}

/** What a finding has led to, latest first. */
export const eingriffeOfBefund = async (tx: MandantTx, befundId: string, now: Date) =>
  (await readOfBefund(tx, befundId)).map((row) => toApi(row, now));

/** What several findings have led to, by finding, each latest first; nothing of those that led to none. */
export async function eingriffeOfBefunde(tx: MandantTx, befundIds: string[], now: Date) {
  const rows = befundIds.length === 0 ? [] : await readOfBefunde(tx, befundIds);
  return Map.groupBy(
    rows.map((row) => toApi(row, now)),
    ({ befund_id }) => befund_id,
  );
}

type Aktiv = Pick<ResponseOf<typeof eingriffeAktiv>, 'eingriffe' | 'harte_grenzen'>;

/** Names what is in force, as an ETag. */
const tagOf = ({ eingriffe, harte_grenzen }: Aktiv): string => {
  const told = [eingriffe.map(({ eingriff_id, bis }) => [eingriff_id, bis]), harte_grenzen];
  return `W/"${hash('sha1', JSON.stringify(told), 'base64url')}"`;
};

/**
 * What is in force, for an agent or in all; with the tag that is known (`If-None-Match`) and seconds to wait, only once it is
 * another or the time is over.
 */
export async function readAktiv(
  inForce: InForce,
  to: Recipient,
  { agent, warten }: QueryOf<typeof eingriffeAktiv>,
  known: string | undefined,
  signal: AbortSignal,
): Promise<{ answer: Aktiv; etag: string }> {
  const end = performance.now() + warten * 1_000;
  for (;;) {
    await inForce.refresh(to.mandant);
    const eingriffe = inForce.named(to, agent === undefined ? undefined : [agent]);
    const answer = { eingriffe, harte_grenzen: [...inForce.scopes(to.mandant)] };
    const etag = tagOf(answer);
    const rest = end - performance.now();
    const isDue = known !== etag || rest <= 0;
    if (!isDue && !signal.aborted && (await inForce.change(to.mandant, rest, signal))) continue;
    if (!signal.aborted) await inForce.handedOut(to, eingriffe);
    return { answer, etag };
  }
}

type Eingabe = BodyOf<typeof eingriffAnlegen>;

const YEAR_MS = 366 * DAY_MS;

function untilOf({ bis }: Eingabe, now: Date): string | null {
  if (!bis) return null;
  const at = Date.parse(bis);
  if (at > now.getTime() && at <= now.getTime() + YEAR_MS) return bis;
  throw new InvalidInput({
    path: ['bis'],
    reason: {
      de: 'bis muss in der Zukunft liegen, höchstens ein Jahr voraus',
      en: 'bis must be in the future, at most a year ahead',
    },
    input: bis,
  });
}

/** What a person intervenes with: 404 when the Mandant has no such agent or run. */
async function objectOf(tx: MandantTx, { agent_id, lauf_id, stufe }: Eingabe) {
  if (Boolean(agent_id) === Boolean(lauf_id))
    throw new InvalidInput({
      path: ['agent_id'],
      reason: {
        de: 'genau eines von agent_id und lauf_id ist anzugeben',
        en: 'exactly one of agent_id and lauf_id must be given',
      },
      input: agent_id,
    });
  if (lauf_id) {
    const run = await readAgentOfRun(tx, lauf_id);
    if (!run) throw notFound({ de: 'Diesen Lauf', en: 'This run' });
    if (stufe !== 'anhalten')
      throw new InvalidInput({
        path: ['stufe'],
        reason: { de: 'ein Lauf lässt sich nur anhalten', en: 'a run can be stopped only' },
        input: stufe,
      });
    return { objekt_art: 'lauf' as const, objekt: lauf_id, agent: run.agent };
  }
  const agent = await readAgent(tx, agent_id as string);
  if (!agent) throw notFound({ de: 'Diesen Agenten', en: 'This agent' });
  return { objekt_art: 'agent' as const, objekt: agent.schluessel, agent: agent.schluessel };
}

const BY_HAND = { de: 'Von Hand eingegriffen.', en: 'Intervened by hand.' };

/** Intervenes by hand; programs that call models learn of it with the next answer. */
export function intervene(
  { db, clock }: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
  eingabe: Eingabe,
): Promise<ResponseOf<typeof eingriffAnlegen>> {
  const now = clock.now();
  return db.forMandant(mandant, async (tx) => {
    const object = await objectOf(tx, eingabe);
    const row = {
      eingriff_id: uuidv7(),
      stufe: eingabe.stufe,
      ...object,
      grund_de: eingabe.grund ?? BY_HAND.de,
      grund_en: eingabe.grund ?? BY_HAND.en,
      beginn: now.toISOString(),
      bis: untilOf(eingabe, now),
      veranlasst_von: akteur.name ?? '',
    };
    await insertByHand(tx, row);
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'eingriff.angelegt',
      objekt: { art: object.objekt_art, id: row.eingriff_id, name: object.objekt },
      nachher: { stufe: row.stufe, bis: row.bis, grund: eingabe.grund ?? null },
    });
    const created = await lockEingriff(tx, row.eingriff_id);
    if (!created) throw new Error('the intervention is gone');
    return toApi(created, now);
  });
}

/** How long the rule behind it leaves its object alone; nothing of the kind where no rule is behind it. */
async function graceOf(
  tx: MandantTx,
  { befund_id, objekt_art, objekt, agent }: EingriffRow,
  now: Date,
): Promise<Gnade> {
  if (befund_id === null) return { gnade_bis: null, gnade_aufrufe: null, gnade_kosten_eur: null };
  const minutes = restMinutesOf(agent === null ? null : await readRuhezeit(tx, agent));
  const run = objekt_art === 'lauf' ? await readRunFigures(tx, objekt) : undefined;
  return {
    gnade_bis: new Date(now.getTime() + minutes * 60_000).toISOString(),
    gnade_aufrufe: run?.aufrufe ?? null,
    gnade_kosten_eur: run?.kosten_eur ?? null,
  };
}

/** Lifts what is in force; what is over stays as it is. 404 when the Mandant has no such intervention. */
export async function liftWithin(
  tx: MandantTx,
  now: Date,
  akteur: Akteur,
  id: string,
): Promise<ResponseOf<typeof eingriffAnlegen>> {
  const row = await lockEingriff(tx, id);
  if (!row) throw notFound({ de: 'Diesen Eingriff', en: 'This intervention' });
  if (!isInForce(row, now)) return toApi(row, now);
  const gnade = await graceOf(tx, row, now);
  await liftEingriff(tx, id, { am: now.toISOString(), von: akteur.name ?? '', gnade });
  await recordChange(tx, tx.mandant, now, {
    akteur,
    aktion: 'eingriff.aufgehoben',
    objekt: { art: row.objekt_art, id, name: row.objekt },
    vorher: { stufe: row.stufe },
    nachher: { grund: 'hand', gnade_bis: gnade.gnade_bis },
  });
  const lifted = await lockEingriff(tx, id);
  return toApi(lifted ?? row, now);
}

/** The same in a transaction of its own. */
export const lift = (
  { db, clock }: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
): Promise<ResponseOf<typeof eingriffAnlegen>> =>
  db.forMandant(mandant, (tx) => liftWithin(tx, clock.now(), akteur, id));

/** An order that holds now; undefined where the Mandant has none of this id, or it is over. */
export async function readEingriffInForce(
  tx: MandantTx,
  id: string,
  now: Date,
): Promise<Pick<EingriffRow, 'objekt_art' | 'objekt'> | undefined> {
  const row = await lockEingriff(tx, id);
  return row && isInForce(row, now) ? row : undefined;
}
