/** Calls that were made although a rule had stopped what they belong to, or would have if it were armed. */
import type pg from 'pg';
import type { Objektart } from '#contracts';
import { placeOf, STOPPING } from '../rules.ts';

const OBJECTS: Record<Objektart, string> = {
  mandant: 'true',
  lauf: 'e.lauf_id::text = x.objekt',
  agent: 'e.agent = x.objekt',
  projekt: 'e.projekt = x.objekt',
  endkunde: 'e.endkunde_ref = x.objekt',
  funktion: 'e.funktion_ref = x.objekt',
  modell: 'e.modell = x.objekt',
  benutzer: 'e.benutzer_ref = x.objekt',
  schluessel: 'e.schluessel_id::text = x.objekt',
};

// Orders by hand are no rule's.
const IN_FORCE = `x.mandant_id = $1 AND x.befund_id IS NOT NULL AND x.stufe = ANY ($4)
  AND x.beginn < $3 AND least(x.bis, x.aufgehoben_am, 'infinity') > $2`;
const ARTS = `SELECT DISTINCT x.objekt_art FROM eingriffe x WHERE ${IN_FORCE}`;

/** Stopping anything but a run means the runs that had begun. */
const statementFor = (art: Objektart) => `INSERT INTO zwilling_aufrufe
  SELECT e.ereignis_id, e.zeitpunkt, $5, x.befund_id, x.beginn, e.agent, e.kosten_eur, e.kosten_eur
  FROM eingriffe x
  JOIN befunde b ON b.mandant_id = $1 AND b.befund_id = x.befund_id AND b.status IN ('offen', 'erledigt')
  JOIN ereignisse e ON e.mandant_id = $1 AND e.zeitpunkt >= $2 AND e.zeitpunkt < $3 AND ${OBJECTS[art]}
    AND e.zeitpunkt > x.beginn AND e.zeitpunkt < least(x.bis, x.aufgehoben_am, 'infinity')
  LEFT JOIN laeufe l ON l.mandant_id = $1 AND l.lauf_id = e.lauf_id
  WHERE ${IN_FORCE} AND x.objekt_art = $6
    AND (x.stufe = 'sperren' OR x.objekt_art = 'lauf' OR l.beginn <= x.beginn)`;

/** Adds them; `bounds` are the Mandant, the beginning of the day and its end. */
export async function addStopped(client: pg.PoolClient, bounds: string[]): Promise<void> {
  const { rows } = await client.query<{ objekt_art: Objektart }>(ARTS, [...bounds, STOPPING]);
  for (const { objekt_art: art } of rows)
    await client.query(statementFor(art), [...bounds, STOPPING, placeOf('angehalten'), art]);
}
