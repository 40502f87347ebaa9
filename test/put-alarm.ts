import { v7 as uuidv7 } from 'uuid';

/** An alarm with a delivery through the general webhook, as rows; resolves with their ids. */
export async function putAlarm(
  sql: (text: string, values: unknown[]) => Promise<unknown>,
  mandant: string,
  {
    stufe = 'warnen',
    status = 'aufgegeben',
    kanal = 'webhook_url',
    zeitpunkt = new Date().toISOString(),
  } = {},
): Promise<{ alarmId: string; zustellungId: string }> {
  const [alarmId, zustellungId] = [uuidv7({ msecs: Date.parse(zeitpunkt) }), uuidv7()];
  await sql(
    `INSERT INTO alarme (mandant_id, alarm_id, art, ursache, stufe, titel_de, titel_en, text_de, text_en, pfad, zeitpunkt,
       verteilt_am)
     VALUES ($1, $2::uuid, 'alarm', $2::uuid::text, $3, 'Titel', 'Headline', 'Text', 'Text', '/befunde/1', $4, $4)`,
    [mandant, alarmId, stufe, zeitpunkt],
  );
  await sql(
    `INSERT INTO alarm_zustellungen (mandant_id, zustellung_id, alarm_id, kanal, status, versuche, antwort_status, fehler_de,
       fehler_en, frist, erstellt_am, versucht_am)
     VALUES ($1, $2, $3, $4, $5, 2, 410, 'Der Empfänger hat mit 410 geantwortet.', 'The receiver answered with 410.', $6, $6, $6)`,
    [mandant, zustellungId, alarmId, kanal, status, zeitpunkt],
  );
  return { alarmId, zustellungId };
}
