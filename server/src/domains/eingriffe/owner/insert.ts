/** Interventions as findings cause them. Runs as the owner, in the transaction that records the finding. */
import type pg from 'pg';
import type { Objektart, Stufe } from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Sentence } from '#kernel/sentence.ts';
import { CHANNEL } from '../channel.ts';

export interface NewEingriff {
  eingriff_id: string;
  stufe: Stufe;
  objekt_art: Objektart;
  objekt: string;
  agent: string | null;
  schatten: boolean;
  regel_id: string | null;
  befund_id: string | null;
  grund: Sentence;
  beginn: Date;
  bis: Date | null;
}

/** Puts them in force, but for those in shadow mode; processes hear of it when the transaction commits. */
export async function insertEingriffe(
  client: Pick<pg.ClientBase, 'query'>,
  mandant: MandantId,
  eingriffe: NewEingriff[],
): Promise<void> {
  for (const each of eingriffe)
    await client.query({
      name: 'eingriff',
      text: `INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, schatten, regel_id, befund_id,
          grund_de, grund_en, beginn, bis)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      values: [
        mandant,
        each.eingriff_id,
        each.stufe,
        each.objekt_art,
        each.objekt,
        each.agent,
        each.schatten,
        each.regel_id,
        each.befund_id,
        each.grund.de,
        each.grund.en,
        each.beginn,
        each.bis,
      ],
    });
  if (eingriffe.some(({ schatten }) => !schatten)) await notifyAsOwner(client, mandant);
}

/** Lifts what findings have caused that do not hold any more. */
export async function liftEingriffeOf(
  client: Pick<pg.ClientBase, 'query'>,
  mandant: MandantId,
  befunde: string[],
  now: Date,
): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE eingriffe SET aufgehoben_am = $3, aufgehoben_grund = 'befund_hinfaellig'
     WHERE mandant_id = $1 AND befund_id = ANY ($2::uuid[]) AND aufgehoben_am IS NULL AND coalesce(bis, 'infinity') > $3`,
    [mandant, befunde, now],
  );
  if (rowCount) await notifyAsOwner(client, mandant);
}

/** Processes hear that something has changed when the transaction commits. */
export const notifyAsOwner = (client: Pick<pg.ClientBase, 'query'>, mandant: MandantId) =>
  client.query(`SELECT pg_notify('${CHANNEL}', $1)`, [mandant]);
