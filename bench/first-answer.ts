/** The first answer right after an import: the engine has none of it yet. */
import { round } from './ingest.ts';
import { leaveMonth } from './month-of-pieces.ts';
import { type BenchService, startBenchService } from './service.ts';

const IMPORT = { agents: 200, customers: 2_000, models: 8, calls: 200_000, zone: 'UTC', scattered: true };

async function timed(service: BenchService, gruppe: string) {
  const [before, start] = [service.engine.cpu(), performance.now()];
  const headers = { authorization: `Bearer ${service.key}` };
  const answer = await fetch(`${service.address}/v1/api/verbrauch?gruppe=${gruppe}`, { headers });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${gruppe}: ${answer.status}`);
  return { ms: round(performance.now() - start), engine_cpu: round((service.engine.cpu() - before) * 1_000) };
}

/** Milliseconds of the first answer, and of the one after it, which differs by what is loaded; of CPU of the engine as well. */
async function measureOnce(gruppe: string) {
  const service = await startBenchService('api');
  const client = await service.connect();
  try {
    await client.query('UPDATE mandanten SET zeitzone = $1', [IMPORT.zone]);
    await leaveMonth(client, service.mandant, IMPORT);
    return { first: await timed(service, gruppe), second: await timed(service, gruppe) };
  } finally {
    await client.end();
    await service.stop();
  }
}

/** So often each. */
export async function measureFirstAnswer(rounds: number) {
  const result: Record<string, Awaited<ReturnType<typeof measureOnce>>[]> = { agent: [], endkunde: [] };
  for (const [gruppe, measured] of Object.entries(result))
    while (measured.length < rounds) measured.push(await measureOnce(gruppe));
  return result;
}
