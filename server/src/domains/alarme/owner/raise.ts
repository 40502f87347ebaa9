/** Raising alarms: it belongs to the transaction of the owner that acts, and what is undone raises none. */
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Stufe } from '#contracts';
import { enqueueFor } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Sentence } from '#kernel/sentence.ts';
import { verteilen } from '../jobs/verteilen.ts';

export interface AlarmMessage {
  /** What it is about, told once: a second one with the same text does nothing. */
  ursache: string;
  titel: Sentence;
  text: Sentence;
  /** Path within the cockpit where there is more about it: `/befunde/<id>`. */
  pfad: string;
  /** About how much money it is, a plain decimal in EUR; left out where it is about none. */
  betragEur?: string | null;
}

export interface Alarm extends AlarmMessage {
  stufe: Stufe;
}

type Client = Pick<pg.ClientBase, 'query'>;

/** Nothing is left behind of a Mandant that is just being removed. */
const HOLD = 'SELECT FROM mandanten WHERE mandant_id = $1 FOR KEY SHARE';

// Two who raise the same one: the second waits for the first to commit, and then does nothing.
const INSERT = `
  INSERT INTO alarme (mandant_id, alarm_id, art, ursache, stufe, titel_de, titel_en, text_de, text_en, pfad, betrag_eur)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (mandant_id, ursache, art) DO NOTHING`;

async function insert(
  client: Client,
  mandant: MandantId,
  art: 'alarm' | 'entwarnung',
  { ursache, stufe, titel, text, pfad, betragEur = null }: Alarm,
): Promise<boolean> {
  if (!pfad.startsWith('/')) throw new TypeError('the path of an alarm begins with a slash');
  if ((await client.query(HOLD, [mandant])).rowCount === 0) return false;
  const alarm_id = uuidv7();
  const texts = [titel.de, titel.en, text.de, text.en];
  const values = [mandant, alarm_id, art, ursache, stufe, ...texts, pfad, betragEur];
  const { rowCount } = await client.query(INSERT, values);
  if (rowCount === 0) return false;
  await enqueueFor(client, mandant, verteilen, { alarm_id });
  return true;
}

/**
 * Raises an alarm, in the transaction of the owner that has found its cause: with the commit it is there together with the job
 * that delivers it to every channel of the Mandant. Once for each cause; resolves with whether it was now (never for a
 * Mandant that is gone). Several in one transaction are raised in the order of their causes, or two who raise the same ones may wait for
 * each other.
 */
export const raiseAlarm = (client: Client, mandant: MandantId, alarm: Alarm): Promise<boolean> =>
  insert(client, mandant, 'alarm', alarm);

const RAISED = `SELECT stufe FROM alarme WHERE mandant_id = $1 AND ursache = $2 AND art = 'alarm'`;

/**
 * Tells the channels which got the alarm of this cause that it is over: once, and only where it was raised. Resolves with
 * whether it was now.
 */
export async function raiseRecovery(
  client: Client,
  mandant: MandantId,
  message: AlarmMessage,
): Promise<boolean> {
  const { rows } = await client.query<Pick<Alarm, 'stufe'>>(RAISED, [mandant, message.ursache]);
  const [raised] = rows;
  return raised ? insert(client, mandant, 'entwarnung', { ...message, stufe: raised.stufe }) : false;
}
