/** PostgreSQL stopped with SIGSTOP under load: nothing may be acknowledged, memory stays bounded, nothing acknowledged is lost. */
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { BATCH, createBatches } from './events.ts';
import { flood } from './flood.ts';
import { startBenchService } from './service.ts';

const descendants = (pid: number): number[] => [
  pid,
  ...execFileSync('ps', ['--ppid', String(pid), '-o', 'pid='])
    .toString()
    .trim()
    .split(/\s+/)
    .map(Number),
];

export async function measureOverload(seconds: number) {
  const service = await startBenchService();
  try {
    const next = createBatches();
    const before = await flood(service, { connections: 12, seconds: 3, next });
    const stopped = descendants(service.postmaster());
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    let mostRss = 0;
    const watch = setInterval(() => {
      mostRss = Math.max(mostRss, service.rss());
    }, 200);
    const during = await flood(service, { connections: 400, seconds, next });
    clearInterval(watch);
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    const client = await service.connect();
    const after = await flood(service, { connections: 12, seconds: 2, next });
    const acknowledged = [before, during, after].reduce(
      (sum, part) => sum + (part.statuses[202] ?? 0) * BATCH,
      0,
    );
    let counted = 0;
    for (let tries = 0; counted < acknowledged && tries < 600; tries += 1) {
      await delay(100);
      counted = Number(
        (
          await client.query(
            `SELECT coalesce(sum(aufrufe), 0) AS n FROM verbrauch_laufend_stunde v WHERE dimension = 0`,
          )
        ).rows[0].n,
      );
    }
    await client.end();
    return {
      statuses_while_stopped: during.statuses,
      without_retry_after: during.withoutRetryAfter,
      rss_mib_most: mostRss,
      acknowledged_events: acknowledged,
      counted_events: counted,
      lost: Math.max(0, acknowledged - counted),
    };
  } finally {
    await service.stop();
  }
}
