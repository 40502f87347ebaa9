import {
  CERTAIN_AFTER_HOURS,
  forEveryMandant,
  type JobContext,
  onSchedule,
  passedBefore,
} from '#jobs/index.ts';
import { lockCounting } from '../change-calls.ts';
import { nameOfHerkunft } from '../herkunft.ts';
import { SOURCES_KNOWN_DAYS } from '../source-sums.ts';

const WITH_SOURCES = "SELECT mandant_id FROM zaehlstaende WHERE quellen <> '{}' ORDER BY mandant_id";
/** A month that is looked at, and what comes late. */
const KEPT_HOURS = SOURCES_KNOWN_DAYS * 24;
const REMOVE = 'DELETE FROM verbrauch_quellen WHERE mandant_id = $1 AND tag < $2::timestamptz::date';
const LEFT = 'SELECT DISTINCT quelle, bibliothek, version FROM verbrauch_quellen WHERE mandant_id = $1';
const REMEMBER = 'UPDATE zaehlstaende SET quellen = $2 WHERE mandant_id = $1';

interface Left extends Record<string, unknown> {
  quelle: string;
  bibliothek: string;
  version: string;
}

/** Sums by source that nobody looks at any more; a source of which nothing is left makes room for another. */
export const quellenVergessenJob = ({ owner, log }: Pick<JobContext, 'owner' | 'log'>) =>
  onSchedule({
    id: 'zaehlung.quellen_vergessen',
    cron: '31 3 * * *',
    atStart: false,
    async run() {
      const before = await passedBefore(owner, KEPT_HOURS - CERTAIN_AFTER_HOURS);
      const removed = await forEveryMandant({ owner, log }, WITH_SOURCES, (mandant) =>
        owner.transaction(async (client) => {
          if (!(await lockCounting(client, mandant))) return 0;
          const { rowCount } = await client.query(REMOVE, [mandant, before]);
          if (!rowCount) return 0;
          const { rows } = await client.query<Left>(LEFT, [mandant]);
          await client.query(REMEMBER, [mandant, rows.map(nameOfHerkunft)]);
          return rowCount;
        }),
      );
      return { entfernt: removed.reduce((sum, rows) => sum + rows, 0) };
    },
  });
