/** The alarms there were, with what became of their deliveries. */
import type { alarmeListe, QueryOf, ResponseOf, Static, Zustellung } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { enqueue } from '#jobs/index.ts';
import { localDays } from '#kernel/local-days.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import { noSuchDelivery } from '../errors.ts';
import { zustellen } from '../jobs/zustellen.ts';
import {
  type AlarmAuswahl,
  listAlarme,
  lockZustellung,
  readZustellungen,
  reopenZustellung,
} from '../store.ts';
import { alarmToApi, zustellungToApi } from '../to-api.ts';
import { fristAfter } from './distribute.ts';

const cursor = cursorOf('alarme', 'uuid');

type Query = QueryOf<typeof alarmeListe>;

function auswahlOf(query: Query, zone: string): AlarmAuswahl {
  const { art, stufe, kanal, status } = query;
  const [after] = cursor.read(query.nach) ?? [];
  return { art, stufe, kanal, status, ...localDays(query, zone), after };
}

/** A page of the Mandant's alarms, newest first; `zone` (IANA name) says which days are meant. */
export function listOfAlarms(
  { db }: Pick<ServiceContext, 'db'>,
  mandant: MandantId,
  query: Query,
  zone: string,
): Promise<ResponseOf<typeof alarmeListe>> {
  const auswahl = auswahlOf(query, zone);
  return db.forMandant(mandant, async (tx) => {
    const found = await listAlarme(tx, auswahl, query.limit + 1);
    const { rows, weiter } = pageOf(found, query.limit, cursor, ({ alarm_id }) => [alarm_id]);
    const all = await readZustellungen(
      tx,
      rows.map(({ alarm_id }) => alarm_id),
    );
    const byAlarm = Map.groupBy(all, ({ alarm_id }) => alarm_id);
    return { alarme: rows.map((row) => alarmToApi(row, byAlarm.get(row.alarm_id) ?? [])), weiter };
  });
}

/** Delivers once more; what waits still is left as it is. Throws 404 for a delivery the Mandant does not have. */
export function repeatDelivery(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
  akteur: Akteur,
  zustellungId: string,
): Promise<Static<typeof Zustellung>> {
  return db.forMandant(mandant, async (tx) => {
    const now = clock.now();
    const row = await lockZustellung(tx, zustellungId);
    if (!row) throw noSuchDelivery();
    if (row.status === 'wartet') return zustellungToApi(row);
    const reopened = await reopenZustellung(tx, zustellungId, fristAfter(now));
    await enqueue(tx, zustellen, { zustellung_id: zustellungId });
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'alarme.zustellung_wiederholt',
      objekt: { art: 'alarmkanal', id: row.kanal },
      vorher: { status: row.status },
      nachher: { status: reopened.status },
    });
    return zustellungToApi(reopened);
  });
}
