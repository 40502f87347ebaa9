/** Which channels an alarm goes to, and when. */
import type { AlarmKanal } from '#contracts';
import { type Kanaele, readKanaele, readMandant } from '#domains/mandant/index.ts';
import { enqueue } from '#jobs/index.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { SecretBox } from '#platform/secret-box.ts';
import {
  lockEinstellungen,
  lockLastTold,
  noteTold,
  readEinstellungen,
  setNaechsteSammlung,
} from '../einstellungen.ts';
import { zustellen } from '../jobs/zustellen.ts';
import { gatheredUntil, heldUntil, isForPeople, mayBeHeld, WARNINGS_PER_HOUR } from '../rules.ts';
import {
  type AlarmRow,
  countAlarms,
  insertZustellungen,
  nextHeld,
  noteDistributed,
  readRaised,
  readZustellungen,
  takeUndistributed,
} from '../store.ts';

const HOUR_MS = 3_600_000;

/** A delivery is tried for a day. */
export const fristAfter = (now: Date): Date => new Date(now.getTime() + 24 * HOUR_MS);

/** The channels that are set up. */
const kanaeleOf = ({ email, adressen }: Kanaele): AlarmKanal[] => [
  ...(email.length > 0 ? (['email'] as const) : []),
  ...(Object.keys(adressen) as (keyof typeof adressen)[]),
];

/** Those that got, or are about to get, the alarm of which this says that it is over. */
async function channelsOfRaised(tx: MandantTx, raised: AlarmRow): Promise<AlarmKanal[]> {
  const ids = [raised.alarm_id, ...(raised.sammlung_id ? [raised.sammlung_id] : [])];
  const found = await readZustellungen(tx, ids);
  return found.filter(({ status }) => status !== 'entfallen').map(({ kanal }) => kanal);
}

/**
 * Until when people are spared this alarm, because of what they have set or because a message has just gone to them; null when it
 * goes out at once.
 */
async function hold(tx: MandantTx, now: Date, alarm: AlarmRow): Promise<string | null> {
  if (alarm.art === 'sammlung') return null;
  const [zeiten, { zeitzone }] = [await readEinstellungen(tx), await readMandant(tx)];
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zeitzone);
  const since = new Date(now.getTime() - HOUR_MS);
  const inLastHour = await countAlarms(tx, since, alarm, WARNINGS_PER_HOUR + 1);
  const wished = mayBeHeld(alarm.stufe) ? heldUntil(zeiten, local, inLastHour) : null;
  const until = wished ?? gatheredUntil(await lockLastTold(tx), now, inLastHour);
  return until?.toString() ?? null;
}

async function putIn(tx: MandantTx, now: Date, alarmId: string, kanaele: AlarmKanal[]): Promise<void> {
  const ids = await insertZustellungen(tx, alarmId, kanaele, { now, frist: fristAfter(now) });
  for (const zustellung_id of ids) await enqueue(tx, zustellen, { zustellung_id });
}

async function noteGone(tx: MandantTx, now: Date): Promise<void> {
  await lockEinstellungen(tx);
  await noteTold(tx, now);
}

async function noteHeld(tx: MandantTx): Promise<void> {
  await lockEinstellungen(tx);
  await setNaechsteSammlung(tx, await nextHeld(tx));
}

/** The channels of an alarm, and until when those of people have to wait. */
async function planOf(tx: MandantTx, secrets: SecretBox, now: Date, alarm: AlarmRow) {
  const setUp = kanaeleOf(await readKanaele(tx, secrets));
  if (alarm.art !== 'entwarnung') {
    const kanaele = alarm.art === 'sammlung' ? setUp.filter(isForPeople) : setUp;
    return { kanaele, until: await hold(tx, now, alarm) };
  }
  const raised = await readRaised(tx, alarm.ursache);
  if (!raised) return { kanaele: [], until: null };
  // It may come up at once, before its alarm was distributed.
  await distribute(tx, secrets, now, raised.alarm_id);
  const { gehalten_bis, sammlung_id } = (await readRaised(tx, alarm.ursache)) ?? raised;
  const told = await channelsOfRaised(tx, { ...raised, sammlung_id });
  const isHeld = gehalten_bis !== null && sammlung_id === null;
  // What begins in a digest is over in the same one.
  if (isHeld) return { kanaele: [...told, ...setUp.filter(isForPeople)], until: gehalten_bis };
  return { kanaele: told.filter((kanal) => setUp.includes(kanal)), until: await hold(tx, now, alarm) };
}

/**
 * Puts in the deliveries of an alarm, each with its job; those to people not while they want to be spared: a digest brings it
 * to them later. Does nothing the second time. Resolves with how many, for the log.
 */
export async function distribute(
  tx: MandantTx,
  secrets: SecretBox,
  now: Date,
  alarmId: string,
): Promise<{ zustellungen: number; gehalten: boolean }> {
  const alarm = await takeUndistributed(tx, alarmId);
  if (!alarm) return { zustellungen: 0, gehalten: false };
  const { kanaele, until } = await planOf(tx, secrets, now, alarm);
  const gehalten_bis = kanaele.some(isForPeople) ? until : null;
  const atOnce = gehalten_bis === null ? kanaele : kanaele.filter((kanal) => !isForPeople(kanal));
  await putIn(tx, now, alarmId, atOnce);
  await noteDistributed(tx, alarmId, { verteilt_am: now.toISOString(), gehalten_bis });
  if (gehalten_bis !== null) await noteHeld(tx);
  else if (atOnce.some(isForPeople)) await noteGone(tx, now);
  return { zustellungen: atOnce.length, gehalten: gehalten_bis !== null };
}
