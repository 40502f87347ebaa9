/** One look of the detectors at a day of one Mandant: how long each of them takes, and what the process needs for it. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { DETECTED_TYPES, type DetectedType, REGELTYPEN } from '#contracts';
import { type DetectedRule, detect, prepare, record, runDetectors } from '#domains/detektoren/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import type { Regel } from '#domains/regeln/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { addDay } from './day.ts';
import { round } from './ingest.ts';
import { startBenchService } from './service.ts';

/** What a type must be told. */
const GIVEN: Partial<Record<DetectedType, { schwelle?: string; parameter?: object }>> = {
  kosten_grenze: { schwelle: '50' },
  raten_grenze: { schwelle: '100000' },
  modell_verboten: { parameter: { erlaubt: ['gpt-4o*', 'gpt-4.1*', 'o*'] } },
  modell_zu_gross: { parameter: { erlaubt: ['gpt-4.1-nano'] } },
};

export function ruleOf(typ: DetectedType): DetectedRule {
  const { schwelle, zeitfenster, parameter } = REGELTYPEN[typ];
  const presets = Object.entries(parameter.properties as Record<string, { default?: unknown }>);
  const rule: Regel = {
    regel_id: randomUUID(),
    name: typ,
    typ,
    geltungsbereich: 'mandant',
    bezug: null,
    schwelle: GIVEN[typ]?.schwelle ?? schwelle?.default ?? null,
    einheit: schwelle?.einheiten[0] ?? null,
    stufe: 'warnen',
    zeitfenster: zeitfenster?.default ?? null,
    schattenbetrieb: true,
    parameter: {
      ...Object.fromEntries(presets.map(([name, { default: value }]) => [name, value])),
      ...GIVEN[typ]?.parameter,
    } as Regel['parameter'],
  };
  return rule as DetectedRule;
}

const rss = () => Math.round(process.memoryUsage().rss / 2 ** 20);

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const begin = performance.now();
  const result = await work();
  return { ms: round(performance.now() - begin), result };
}

/** Puts the rules into the database, active, in place of those that are there. */
async function setRules(client: pg.Client, mandant: string, rules: DetectedRule[]): Promise<void> {
  await client.query('DELETE FROM regeln WHERE mandant_id = $1', [mandant]);
  await client.query(
    `INSERT INTO regeln (mandant_id, regel_id, name, typ, geltungsbereich, schwelle, einheit, stufe, zeitfenster, schattenbetrieb, aktiv,
       parameter)
     SELECT $1, regel_id, name, typ, geltungsbereich, schwelle, einheit, stufe, zeitfenster, true, true, parameter
     FROM jsonb_to_recordset($2::jsonb) AS r (regel_id uuid, name text, typ text, geltungsbereich text, schwelle numeric, einheit text,
       stufe text, zeitfenster text, parameter jsonb)`,
    [mandant, JSON.stringify(rules)],
  );
}

/** What each type takes by itself, one after the other. */
async function measureTypes(owner: OwnerDatabase, mandant: string, rules: DetectedRule[]) {
  const bis = Temporal.Now.instant();
  return owner.transaction(async (client) => {
    const look = { client, mandant, zone: 'Europe/Berlin', von: bis.subtract({ hours: 26 }), bis };
    const loading = await timed(() => prepare(look, rules, createPriceList()));
    const types: Record<string, { ms: number; found: number }> = {};
    for (const rule of rules) {
      const { ms, result } = await timed(() => detect(look, rule));
      types[rule.typ] = { ms, found: result.length };
    }
    return { loading_ms: loading.ms, types };
  });
}

/** A look at about `events` calls, with one rule of each type: as batches run it, finding and writing down, twice. */
export async function measureDetectors(events: number) {
  const service = await startBenchService('api');
  const client = await service.connect();
  const log = createLog('error');
  const { host, user, database } = client;
  const connection = { host, user: user ?? '', database: database ?? '' };
  const owner = createOwnerDatabase(
    createPool({ connection, max: 4, statementTimeout: 600_000, name: 'bench' }, log),
  );
  try {
    await addDay(client, service.mandant, events);
    const rules = DETECTED_TYPES.map(ruleOf);
    await setRules(client, service.mandant, rules);
    const before = rss();
    const context = { owner, prices: createPriceList(), log, record };
    const first = await timed(() => runDetectors(context, new Date()));
    const again = await timed(() => runDetectors(context, new Date()));
    return {
      events,
      first: { ms: first.ms, ...first.result },
      again: { ms: again.ms, ...again.result },
      one_by_one: await measureTypes(owner, service.mandant, rules),
      rss_mib: { before, after: rss() },
    };
  } finally {
    await owner.close();
    await client.end();
    await service.stop();
  }
}
