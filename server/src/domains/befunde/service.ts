import {
  type befund,
  type befundeListe,
  type befundStatus,
  type QueryOf,
  type ResponseOf,
  typesOfCause,
  type vorfaelleListe,
  type vorfallSchliessen,
} from '#contracts';
import { eingriffeOfBefund, liftWithCause, lockFindings } from '#domains/eingriffe/index.ts';
import { readAgent } from '#domains/katalog/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { wiederholungen } from '#domains/zaehlung/index.ts';
import { enqueue } from '#jobs/index.ts';
import { notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import { avoidedOf, extentFigureOf, hasStopped, type Stopping } from './avoided.ts';
import { incidentClosed } from './errors.ts';
import { readGravest } from './gravest.ts';
import {
  type BefundRow,
  closeVorfall,
  countInForceOf,
  lockBefund,
  lockVorfall,
  readBefund,
  readBefunde,
  readHeadsOf,
  readVorfaelle,
  setStatus,
  type VorfallRow,
} from './store.ts';
import { befundToApi, vorfallToApi } from './to-api.ts';
import { readUnstopped } from './unstopped.ts';

const findings = cursorOf('befunde', 'uuid');
const incidents = cursorOf('vorfaelle', 'uuid');
const gravest = cursorOf('vorfaelle_schwere', 'place', 'place', 'place', 'uuid');

/** A page of findings, latest first; those of an agent that does not exist are none. */
export function listBefunde(
  { db }: ServiceContext,
  mandant: MandantId,
  query: QueryOf<typeof befundeListe>,
): Promise<ResponseOf<typeof befundeListe>> {
  const { limit, nach, agent_id, status, typ, lauf_id, vorfall_id } = query;
  const [after] = findings.read(nach) ?? [];
  return db.forMandant(mandant, async (tx) => {
    const agent = agent_id === undefined ? undefined : await readAgent(tx, agent_id);
    if (agent_id !== undefined && !agent) return { befunde: [], weiter: null };
    const filter = { status, typ, lauf_id, vorfall_id, agent: agent?.schluessel };
    const found = await readBefunde(tx, filter, limit + 1, after);
    const { rows, weiter } = pageOf(found, limit, findings, ({ befund_id }) => [befund_id]);
    return { befunde: rows.map(befundToApi), weiter };
  });
}

const noFinding = () => notFound({ de: 'Diesen Befund', en: 'This finding' });

/** A finding with what was done about it; 404 when the Mandant has no such finding. */
export function showBefund(
  { db, clock }: ServiceContext,
  mandant: MandantId,
  id: string,
): Promise<ResponseOf<typeof befund>> {
  return db.forMandant(mandant, async (tx) => {
    const row = await readBefund(tx, id);
    if (!row) throw noFinding();
    const now = clock.now();
    const shown = { befund: befundToApi(row), eingriffe: await eingriffeOfBefund(tx, id, now) };
    return { ...shown, vermieden: await readAvoided(tx, shown, now) };
  });
}

/** What the stop kept from being spent, by how far alike findings went that nobody stopped; null where it stopped nothing. */
async function readAvoided(tx: MandantTx, shown: Stopping, now: Date) {
  const { befund } = shown;
  const figure = extentFigureOf(befund.typ);
  if (!figure || !hasStopped(shown)) return null;
  const extent = Number(befund.werte[figure]);
  return avoidedOf({ kosten_eur: befund.kosten_eur, extent }, await readUnstopped(tx, befund, figure, now));
}

/** What was burnt by a finding is given back where a person says that it is none, and burnt again where they think again. */
async function readBurntAnew(tx: MandantTx, { typ, lauf_id }: BefundRow): Promise<void> {
  if (lauf_id !== null && typesOfCause('wiederholungen').some((each) => each === typ))
    await enqueue(tx, wiederholungen, { lauf_id });
}

/** Sets the status; 404 when the Mandant has no such finding. */
export function changeStatus(
  { db, clock }: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
  status: QueryOf<typeof befundStatus>['status'],
): Promise<ResponseOf<typeof befundStatus>> {
  return db.forMandant(mandant, async (tx) => {
    // First, as the recording of findings does: neither waits for the other in a circle.
    await lockFindings(tx);
    const row = await lockBefund(tx, id);
    if (!row) throw noFinding();
    if (row.status !== status) {
      await setStatus(tx, id, status);
      if (row.status === 'ignoriert' || status === 'ignoriert') await readBurntAnew(tx, row);
      const now = clock.now();
      const objekt = { art: 'befund', id, name: row.objekt };
      await recordChange(tx, mandant, now, {
        akteur,
        aktion: 'befund.status_gesetzt',
        objekt,
        vorher: { status: row.status },
        nachher: { status },
      });
      // A mistake is no cause.
      if (status === 'ignoriert')
        await liftWithCause(tx, { befunde: [id] }, { akteur, now, grund: 'befund_ignoriert', objekt });
    }
    return befundToApi({ ...row, status });
  });
}

/** A page of incidents, latest first. */
export function listVorfaelle(
  { db, clock }: ServiceContext,
  mandant: MandantId,
  query: QueryOf<typeof vorfaelleListe>,
): Promise<ResponseOf<typeof vorfaelleListe>> {
  const read = query.sortierung === 'schwere' ? readByGravity : readByTime;
  return db.forMandant(mandant, async (tx) => {
    const { rows, weiter } = await read(tx, query);
    return { vorfaelle: await shown(tx, rows, clock.now()), weiter };
  });
}

/** Incidents as answers show them. */
async function shown(tx: MandantTx, rows: VorfallRow[], now: Date) {
  const ids = rows.map(({ vorfall_id }) => vorfall_id);
  const heads = await readHeadsOf(tx, ids);
  const inForce = await countInForceOf(tx, ids, now);
  return rows.map((row) =>
    vorfallToApi(row, { head: heads.get(row.vorfall_id), inForce: inForce.get(row.vorfall_id) ?? 0, now }),
  );
}

type IncidentQuery = Pick<QueryOf<typeof vorfaelleListe>, 'status' | 'limit' | 'nach'>;

async function readByTime(tx: MandantTx, { status, limit, nach }: IncidentQuery) {
  const [after] = incidents.read(nach) ?? [];
  const found = await readVorfaelle(tx, status, limit + 1, after);
  return pageOf(found, limit, incidents, ({ vorfall_id }) => [vorfall_id]);
}

async function readByGravity(tx: MandantTx, { status, limit, nach }: IncidentQuery) {
  const found = await readGravest(tx, status, limit + 1, gravest.read(nach));
  const { rows, weiter } = pageOf(found, limit, gravest, ({ gehandelt, rang, verbrannt, vorfall_id }) => [
    String(gehandelt),
    String(rang),
    verbrannt,
    vorfall_id,
  ]);
  return { rows: rows.map(({ gehandelt, rang, verbrannt, ...row }) => row), weiter };
}

/** Closes an incident; 404 when the Mandant has no such incident, 409 when it is closed. */
export function close(
  { db, clock }: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
  massnahme: string,
): Promise<ResponseOf<typeof vorfallSchliessen>> {
  return db.forMandant(mandant, async (tx) => {
    await lockFindings(tx);
    const row = await lockVorfall(tx, id);
    if (!row) throw notFound({ de: 'Diesen Vorfall', en: 'This incident' });
    if (row.status === 'geschlossen') throw incidentClosed();
    const now = clock.now();
    const closing = { massnahme, geschlossen_am: now.toISOString(), geschlossen_von: akteur.name };
    await closeVorfall(tx, id, closing);
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'vorfall.geschlossen',
      objekt: { art: 'vorfall', id, name: row.objekt },
      nachher: { massnahme },
    });
    const [answer] = await shown(tx, [(await lockVorfall(tx, id)) ?? row], now);
    if (!answer) throw new Error('the incident is gone');
    return answer;
  });
}
