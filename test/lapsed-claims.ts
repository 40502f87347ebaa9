/** Jobs that killed processes were about: their claims lapse after a while, longer with every attempt, which a test does not wait for. */
import type { ServiceProcess } from './service-process.ts';
import { until } from './until.ts';

/** A claim is let go no oftener: what is under way would be taken up again and again, until it has no attempt left. */
const PAUSE_MS = 5_000;

/** Has all jobs of the Mandant done, those of dead processes as well. */
export async function untilJobsAreDone(
  { sql }: Pick<ServiceProcess, 'sql'>,
  mandantId: string,
): Promise<void> {
  const waiting = 'mandant_id = $1 AND aufgegeben_am IS NULL';
  let next = 0;
  await until(
    'all jobs to be done',
    async () => {
      if (performance.now() >= next) {
        next = performance.now() + PAUSE_MS;
        await sql(`UPDATE auftraege SET faellig_am = now() WHERE ${waiting}`, [mandantId]);
      }
      return (await sql(`SELECT FROM auftraege WHERE ${waiting}`, [mandantId])).length === 0;
    },
    60_000,
  );
}
