/** Findings of one object that come within its rest period of one another are one incident. */
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { type Objektart, STUFEN, type Stufe } from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';

interface Joining {
  art: Objektart;
  objekt: string;
  stufe: Stufe;
  schatten: boolean;
  restMinutes: number;
  now: Date;
}

const LATEST = `SELECT vorfall_id FROM vorfaelle
  WHERE mandant_id = $1 AND objekt_art = $2 AND objekt = $3 AND status = 'offen' AND letzter_befund_am >= $4
  ORDER BY letzter_befund_am DESC LIMIT 1`;
const JOIN = `UPDATE vorfaelle SET befunde = befunde + 1, letzter_befund_am = $3, schatten = schatten AND $4,
    stufe = CASE WHEN array_position($6::text[], stufe) < array_position($6::text[], $5) THEN $5 ELSE stufe END
  WHERE mandant_id = $1 AND vorfall_id = $2`;
const OPEN = `INSERT INTO vorfaelle (mandant_id, vorfall_id, objekt_art, objekt, befunde, stufe, schatten, beginn, letzter_befund_am)
  VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $7)`;

/** Adds a finding to the open incident of its object, or to a new one; resolves with its id. The caller holds the lock of findings. */
export async function joinIncident(
  client: Pick<pg.ClientBase, 'query'>,
  mandant: MandantId,
  { art, objekt, stufe, schatten, restMinutes, now }: Joining,
): Promise<string> {
  const since = new Date(now.getTime() - restMinutes * 60_000);
  const { rows } = await client.query<{ vorfall_id: string }>(LATEST, [mandant, art, objekt, since]);
  const open = rows[0]?.vorfall_id;
  if (open) {
    await client.query(JOIN, [mandant, open, now, schatten, stufe, STUFEN]);
    return open;
  }
  const vorfall = uuidv7();
  await client.query(OPEN, [mandant, vorfall, art, objekt, stufe, schatten, now]);
  return vorfall;
}
