/** Statements that a cluster refuses, and why, and their like that it takes; `$1` is a Mandant. */

const INSERT = `INSERT INTO laeufe AS l (mandant_id, lauf_id, beginn) VALUES ($1, gen_random_uuid(), now())`;
const ON_CONFLICT = `${INSERT} ON CONFLICT (mandant_id, lauf_id) DO UPDATE SET`;
const UPDATE = 'UPDATE laeufe SET aufrufe = 1 WHERE mandant_id = $1';
const PROJECT = 'INSERT INTO projekte (mandant_id, projekt_id, schluessel, name)';
/** Under an id that the table makes up. */
const NEW_PROJECT = 'INSERT INTO projekte (mandant_id, schluessel, name)';

/** By what is found fault with. */
export const REFUSED: Record<string, string[]> = {
  'CASE with an operand': [
    "UPDATE laeufe SET aufrufe = CASE agent WHEN 'x' THEN 1 END WHERE mandant_id = $1",
    "INSERT INTO projekte (mandant_id, schluessel, name) VALUES ($1::uuid, 'x', CASE $1::uuid WHEN gen_random_uuid() THEN 'y' ELSE 'z' END)",
    `${ON_CONFLICT} aufrufe = CASE l.agent WHEN 'x' THEN 1 END`,
  ],
  'what is there is changed to what changes by itself': [
    `${ON_CONFLICT} beginn = now()`,
    `${ON_CONFLICT} beginn = current_timestamp RETURNING lauf_id`,
    `${ON_CONFLICT} aufrufe = 1 WHERE l.beginn < now()`,
    `${ON_CONFLICT} beginn = date_trunc('day', excluded.beginn)`,
    `${ON_CONFLICT} agent = excluded.beginn::text`,
    `${ON_CONFLICT} beginn = l.beginn + interval '1 day'`,
    `${ON_CONFLICT} agent = to_char(l.beginn, 'YYYY')`,
  ],
  'a query within what is done on a conflict': [`${ON_CONFLICT} aufrufe = (SELECT 1)`],
  'something that changes by itself is given back': [
    `${UPDATE} RETURNING now()`,
    `${UPDATE} RETURNING beginn::text`,
    `${UPDATE} RETURNING extract(epoch FROM beginn)`,
    `${INSERT} RETURNING to_json(beginn)`,
    'DELETE FROM laeufe WHERE mandant_id = $1 RETURNING beginn::date',
  ],
  'a change calls what differs from row to row': [
    'UPDATE laeufe SET ende = clock_timestamp() WHERE mandant_id = $1',
    'UPDATE laeufe SET lauf_id = gen_random_uuid() WHERE mandant_id = $1',
    'DELETE FROM laeufe WHERE mandant_id = $1 AND ende < clock_timestamp()',
  ],
  'a change makes something of a column that depends on a setting': [
    "UPDATE laeufe SET ende = ende + interval '1 day' WHERE mandant_id = $1",
    'UPDATE laeufe l SET ende = l.ende - make_interval(days => 1) WHERE mandant_id = $1',
    'UPDATE laeufe SET agent = ende::text WHERE mandant_id = $1',
    "UPDATE laeufe SET agent = format('%s', agent) WHERE mandant_id = $1",
    "DELETE FROM laeufe WHERE mandant_id = $1 AND ende + interval '1 day' < now()",
    "DELETE FROM laeufe WHERE mandant_id = $1 AND ende::date = '2026-01-01'",
  ],
  'the time within CASE or coalesce': [
    'UPDATE laeufe SET ende = coalesce(ende, now()) WHERE mandant_id = $1',
    'UPDATE laeufe SET aufrufe = CASE WHEN ende < now() THEN 1 END WHERE mandant_id = $1',
  ],
  'a row is given to another Mandant': [
    'UPDATE laeufe SET aufrufe = 1, mandant_id = $1 WHERE mandant_id = $1',
  ],
  MERGE: [
    'MERGE INTO laeufe l USING (SELECT $1::uuid AS id) n ON l.mandant_id = n.id WHEN MATCHED THEN DELETE',
  ],
  'a request inserts rows that the coordinator would copy': [
    `${PROJECT} SELECT $1::uuid, n, 'a', 'a' FROM unnest(ARRAY[$1::uuid]) n`,
    `${PROJECT} SELECT $1::uuid, lauf_id, agent, agent FROM laeufe WHERE mandant_id = $1`,
    `${PROJECT} SELECT mandant_id, mandant_id, 'a', 'a' FROM mandanten WHERE mandant_id = $1`,
    `${PROJECT} SELECT mandant_id, gen_random_uuid(), 'a', 'a' FROM laeufe WHERE mandant_id = $1`,
    `${NEW_PROJECT} SELECT mandant_id, agent, agent FROM laeufe WHERE mandant_id = $1`,
  ],
  'rows are locked without naming a Mandant': [
    'SELECT FROM laeufe WHERE lauf_id = $1 FOR UPDATE',
    `WITH a AS (SELECT lauf_id FROM laeufe WHERE mandant_id IN (SELECT mandant_id FROM mandanten) FOR NO KEY UPDATE)
     SELECT lauf_id FROM a`,
  ],
  'a query names a table of another kind around it': [
    'SELECT 1 FROM mandanten m WHERE EXISTS (SELECT 1 FROM laeufe l WHERE l.mandant_id = m.mandant_id)',
    'SELECT 1 FROM mandanten m, LATERAL (SELECT beginn FROM laeufe l WHERE l.mandant_id = m.mandant_id LIMIT 1) x',
    'UPDATE laeufe l SET agent = (SELECT firma FROM mandanten m WHERE m.mandant_id = l.mandant_id)',
    'DELETE FROM laeufe WHERE NOT EXISTS (SELECT 1 FROM mandanten m WHERE m.mandant_id = laeufe.mandant_id)',
  ],
  'a query without columns, asked apart': [
    'SELECT EXISTS (SELECT FROM laeufe)',
    'SELECT 1 FROM mandanten WHERE EXISTS (SELECT FROM laeufe WHERE mandant_id = $1)',
  ],
};

export const TAKEN = [
  "SELECT CASE agent WHEN 'x' THEN 1 END FROM laeufe WHERE mandant_id = $1",
  "UPDATE laeufe SET aufrufe = CASE WHEN agent = 'x' THEN 1 ELSE 2 END WHERE mandant_id = $1",
  `${ON_CONFLICT} beginn = excluded.beginn, aufrufe = l.aufrufe + excluded.aufrufe,
     fehler = extract(epoch FROM excluded.beginn AT TIME ZONE 'UTC')::bigint WHERE l.beginn < excluded.beginn`,
  `${UPDATE} RETURNING beginn, beginn AT TIME ZONE 'UTC', mandant_id`,
  "UPDATE laeufe SET ende = now() + interval '1 day', beginn = greatest(beginn, now()) WHERE mandant_id = $1",
  "DELETE FROM laeufe WHERE mandant_id = $1 AND ende < now() - interval '1 day'",
  "UPDATE laeufe SET agent = 'now() ende::date' WHERE mandant_id = $1 -- RETURNING now()",
  `UPDATE laeufe l SET aufrufe = n.a FROM unnest('{}'::uuid[], '{}'::int[]) AS n (id, a)
   WHERE l.mandant_id = $1 AND l.lauf_id = n.id`,
  `${NEW_PROJECT} SELECT $1::uuid, n, n FROM unnest('{a,b}'::text[]) n ON CONFLICT (mandant_id, schluessel) DO NOTHING`,
  `${PROJECT} SELECT l.mandant_id, l.lauf_id, l.agent, now()::text FROM laeufe l WHERE l.mandant_id = $1`,
  'SELECT FROM laeufe WHERE mandant_id = ANY (ARRAY[$1::uuid]) FOR UPDATE SKIP LOCKED',
  `SELECT 1 FROM laeufe l JOIN mandanten m USING (mandant_id)
   WHERE NOT EXISTS (SELECT FROM agenten a WHERE a.mandant_id = l.mandant_id AND a.erstellt_am < m.erstellt_am)`,
  'SELECT 1 FROM laeufe l WHERE EXISTS (SELECT FROM agenten a WHERE a.mandant_id = l.mandant_id)',
  'SELECT EXISTS (SELECT FROM laeufe WHERE mandant_id = $1)',
  'SELECT 1 FROM mandanten WHERE mandant_id IN (SELECT mandant_id FROM laeufe)',
  "UPDATE mandanten SET gekuendigt_am = gekuendigt_am + interval '1 day' WHERE mandant_id = $1 RETURNING now()",
];
