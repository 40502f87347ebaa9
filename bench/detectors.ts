/** One look of the detectors at a day of one Mandant: how long each of them takes, and what the process needs for it. */
import { randomUUID } from 'node:crypto';
import { DETECTED_TYPES, type DetectedType, REGELTYPEN } from '#contracts';
import { type DetectedRule, detect, prepare } from '#domains/detektoren/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import type { Regel } from '#domains/regeln/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
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

/** A look at about so many calls, with one rule of each type. */
export async function measureDetectors(events: number) {
  const service = await startBenchService('api');
  const client = await service.connect();
  const log = createLog('error');
  const { host, user, database } = client;
  const connection = { host, user: user ?? '', database: database ?? '' };
  const owner = createOwnerDatabase(
    createPool({ connection, max: 1, statementTimeout: 600_000, name: 'bench' }, log),
  );
  try {
    await addDay(client, service.mandant, events);
    const rules = DETECTED_TYPES.map(ruleOf);
    const before = rss();
    const bis = Temporal.Now.instant();
    return await owner.transaction(async (own) => {
      const look = {
        client: own,
        mandant: service.mandant,
        zone: 'Europe/Berlin',
        von: bis.subtract({ hours: 26 }),
        bis,
      };
      const loading = await timed(() => prepare(look, rules, createPriceList()));
      const types: Record<string, { ms: number; found: number }> = {};
      let total = loading.ms;
      for (const rule of rules) {
        const { ms, result } = await timed(() => detect(look, rule));
        types[rule.typ] = { ms, found: result.length };
        total += ms;
      }
      return {
        events,
        total_ms: round(total),
        loading_ms: loading.ms,
        types,
        rss_mib: { before, after: rss() },
      };
    });
  } finally {
    await owner.close();
    await client.end();
    await service.stop();
  }
}
