/** Findings that do not hold any more, since calls came late or out of order. Runs as the owner. */
import type pg from 'pg';
import { raiseRecovery } from '#domains/alarme/index.ts';
import { liftEingriffeOf } from '#domains/eingriffe/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { subjectOf } from '../sentences.ts';
import { causeOf } from './tell.ts';

interface Withdrawn {
  befund_id: string;
  schluessel: string;
  objekt_art: Parameters<typeof subjectOf>[0]['objektArt'];
  objekt: string;
  agent: string | null;
  alarm_am: string | null;
  gesagt_mal: number | null;
}

const WITHDRAW = `UPDATE befunde SET status = 'hinfaellig', geaendert_am = $3
  WHERE mandant_id = $1 AND befund_id = ANY ($2::uuid[]) AND status <> 'hinfaellig'
  RETURNING befund_id, schluessel, objekt_art, objekt, agent, alarm_am, gesagt_mal`;

/** Takes findings back: what was done about them is lifted, and who was told hears of it. */
export async function withdrawFindings(
  client: Pick<pg.ClientBase, 'query'>,
  mandant: MandantId,
  befunde: string[],
  now: Date,
): Promise<void> {
  if (befunde.length === 0) return;
  const { rows } = await client.query<Withdrawn>(WITHDRAW, [mandant, befunde, now]);
  await liftEingriffeOf(
    client,
    mandant,
    rows.map(({ befund_id }) => befund_id),
    now,
  );
  for (const { befund_id, schluessel, objekt_art, objekt, agent, alarm_am, gesagt_mal } of rows) {
    if (alarm_am === null) continue;
    const subject = subjectOf({ objektArt: objekt_art, objekt, agent });
    await raiseRecovery(client, mandant, {
      ursache: causeOf(schluessel, gesagt_mal ?? 1),
      // That it is over is said by whatever shows or sends it.
      titel: subject,
      text: {
        de: `${subject.de}: Später eingetroffene Aufrufe zeigen, dass der Befund nicht zutrifft. Eingriffe deswegen sind aufgehoben.`,
        en: `${subject.en}: calls that arrived later show that the finding does not hold. Interventions because of it are lifted.`,
      },
      pfad: `/befunde/${befund_id}`,
    });
  }
}
