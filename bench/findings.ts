/** Pages of protection with a hundred thousand findings, against the same with a thousand. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { round } from './ingest.ts';
import { type BenchService, startBenchService } from './service.ts';

/** Of 200 agents and 20 types, five to an incident, each with an intervention and every other with an alarm that was delivered. */
const FINDINGS = `
  INSERT INTO befunde (mandant_id, befund_id, schluessel, typ, regel_id, objekt_art, objekt, agent, lauf_id, fenster_beginn, stufe, schatten,
    status, werte, kosten_eur, verbrannt_eur, potential_eur, vorfall_id, alarm_am, erkannt_am, geaendert_am)
  SELECT $1, gen_random_uuid(), n::text, (ARRAY['schleife_exakt', 'pingpong', 'kontextwachstum', 'lauf_deckel', 'schleife_nah'])[1 + n % 5],
    $2, 'lauf', l::text, 'standard/agent-' || n % 200, l, t, 'anhalten', n % 3 = 0, CASE WHEN n % 10 = 0 THEN 'offen' ELSE 'erledigt' END,
    jsonb_build_object('anzahl', 5 + n % 40, 'aufrufe', 30, 'schritte', '[1, 2, 3, 4, 5]'::jsonb, 'modelle', '["gpt-4o"]'::jsonb,
      'wiederholungen', 3, 'bis', t), 0.5, 0.3, NULL, ('00000000-0000-4000-8000-' || lpad((n / 5)::text, 12, '0'))::uuid, NULL, t, t
  FROM (SELECT n, gen_random_uuid() AS l, now() - n * interval '4 minutes' AS t FROM generate_series($3::integer, $4::integer) AS n) AS roh`;
const INCIDENTS = `
  INSERT INTO vorfaelle (mandant_id, vorfall_id, objekt_art, objekt, status, befunde, stufe, schatten, beginn, letzter_befund_am)
  SELECT mandant_id, vorfall_id, 'agent', min(agent), CASE WHEN random() < 0.1 THEN 'offen' ELSE 'geschlossen' END, count(*), 'anhalten',
    false, min(erkannt_am), max(erkannt_am)
  FROM befunde WHERE mandant_id = $1 GROUP BY 1, 2 ON CONFLICT DO NOTHING`;
const INTERVENTIONS = `
  INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, schatten, regel_id, befund_id, grund_de, grund_en, beginn, bis)
  SELECT mandant_id, befund_id, 'anhalten', 'lauf', objekt, agent, schatten, regel_id, befund_id, 'Grund', 'Reason', erkannt_am,
    erkannt_am + interval '7 days'
  FROM befunde WHERE mandant_id = $1 ON CONFLICT DO NOTHING`;
const ALARMS = `
  INSERT INTO alarme (mandant_id, alarm_id, art, ursache, stufe, titel_de, titel_en, text_de, text_en, pfad, zeitpunkt)
  SELECT mandant_id, befund_id, 'alarm', schluessel, stufe, 'Schleife', 'Loop', 'Text', 'Text', '/befunde/' || befund_id, erkannt_am
  FROM befunde WHERE mandant_id = $1 AND schluessel::integer % 2 = 0 ON CONFLICT DO NOTHING`;

async function addFindings(client: pg.Client, mandant: string, from: number, to: number): Promise<void> {
  await client.query(FINDINGS, [mandant, randomUUID(), from, to]);
  for (const statement of [INCIDENTS, INTERVENTIONS, ALARMS]) await client.query(statement, [mandant]);
  await client.query('VACUUM ANALYZE');
}

const TIMES = 15;

/** Milliseconds of the answer in the middle. */
async function timed(service: BenchService, path: string): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const start = performance.now();
    const answer = await fetch(`${service.address}${path}`, { headers: { cookie: service.cookie } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    taken.push(performance.now() - start);
  }
  return round(taken.toSorted((a, b) => a - b)[TIMES >> 1] as number);
}

/** The cursor of a page in the middle of all findings. */
async function deepPage(service: BenchService, pages: number): Promise<string> {
  let path = '/v1/cockpit/befunde?limit=200';
  for (let page = 0; page < pages; page += 1) {
    const answer = await fetch(`${service.address}${path}`, { headers: { cookie: service.cookie } });
    const { weiter } = (await answer.json()) as { weiter: string | null };
    if (weiter === null) break;
    path = `/v1/cockpit/befunde?limit=200&nach=${encodeURIComponent(weiter)}`;
  }
  return path;
}

async function measurePages(service: BenchService, client: pg.Client) {
  const { rows } = await client.query<{ befund_id: string; lauf_id: string; vorfall_id: string }>(
    `SELECT befund_id, lauf_id, vorfall_id FROM befunde WHERE mandant_id = $1 AND NOT schatten ORDER BY schluessel LIMIT 1`,
    [service.mandant],
  );
  const [one] = rows;
  const pages: Record<string, string> = {
    findings: '/v1/cockpit/befunde',
    findings_open: '/v1/cockpit/befunde?status=offen',
    findings_of_type: '/v1/cockpit/befunde?typ=pingpong&status=erledigt',
    findings_of_run: `/v1/cockpit/befunde?lauf_id=${one?.lauf_id}`,
    findings_of_incident: `/v1/cockpit/befunde?vorfall_id=${one?.vorfall_id}`,
    findings_deep: await deepPage(service, 100),
    finding: `/v1/cockpit/befunde/${one?.befund_id}`,
    incidents: '/v1/cockpit/vorfaelle',
    incidents_open: '/v1/cockpit/vorfaelle?status=offen',
    interventions: '/v1/cockpit/eingriffe?tage=366',
    interventions_in_force: '/v1/cockpit/eingriffe?in_kraft=true',
    alarms: '/v1/cockpit/alarme',
    rules: '/v1/cockpit/regeln',
  };
  const measured: Record<string, number> = {};
  for (const [name, path] of Object.entries(pages)) measured[name] = await timed(service, path);
  return measured;
}

/** Of each page with few and with many findings, in milliseconds, and how they compare. */
export async function measureFindings(few: number, many: number) {
  const service = await startBenchService('api');
  try {
    const client = await service.connect();
    await addFindings(client, service.mandant, 1, few);
    const before = await measurePages(service, client);
    await addFindings(client, service.mandant, few + 1, many);
    const after = await measurePages(service, client);
    await client.end();
    return Object.fromEntries(
      Object.entries(after).map(([name, ms]) => {
        const first = before[name] as number;
        return [name, { [few]: first, [many]: ms, ratio: round(ms / first) }];
      }),
    );
  } finally {
    await service.stop();
  }
}
