/**
 * Lists out of the pairs of the former release (`verbrauch_paar`): the calls of old days may be gone. Goes with that table, one
 * release later.
 */
import type pg from 'pg';
import { FIGURE_NAMES } from '#contracts';
import { forEveryMandant, type JobContext, type Selected } from '#jobs/index.ts';
import type { List } from '../lists/calls.ts';
import { GroupSums } from '../lists/group-sums.ts';
import { toList } from '../lists/list.ts';
import { lockLists, pagesOf, writeLists } from './condense.ts';

/** Arrays of a row may be long, and are read in one go. */
const ROWS_AT_ONCE = 100;

/** Days whose pairs hold and that have no lists yet, by Mandant. */
const DAYS = `SELECT mandant_id, array_agg(tag::text) AS tage, array_agg(geaendert::text) AS staende FROM verbrauch_tagesstand
  WHERE verdichtet = geaendert AND gelistet IS NULL GROUP BY mandant_id`;

/** The figures that the former release keeps. */
export const FIGURES_OF_PAIRS = FIGURE_NAMES.filter(
  (name) => !['eingabe_ohne_cache', 'ausgabe_gesamt', 'aufgeteilt'].includes(name),
);

/** Read once for all days: the key of the table begins with the value. */
const PAIRS = `SELECT p.tag::text, p.merkmal_id, p.nach, p.andere, ${FIGURES_OF_PAIRS.map((name) => `p.${name}::text[]`).join(', ')}
  FROM verbrauch_paar p WHERE p.mandant_id = $1 AND p.tag = ANY($2::date[])`;

type Row = [tag: string, merkmal: number, nach: number, andere: number[], ...figures: (string[] | null)[]];

function toListOf([, merkmal, nach, andere, ...figures]: Row): List {
  const sums = new GroupSums();
  for (const [index, other] of andere.entries())
    sums.addRow(
      sums.placeOf(other),
      Object.fromEntries(FIGURES_OF_PAIRS.map((name, figure) => [name, figures[figure]?.[index] ?? null])),
    );
  return { merkmal, nach, liste: toList(sums) };
}

interface Days extends Selected {
  mandant_id: string;
  tage: string[];
  staende: string[];
}

async function takeOver(client: pg.ClientBase, { mandant_id, tage, staende }: Days): Promise<void> {
  if (!(await lockLists(client, mandant_id))) return;
  const days = [mandant_id, tage];
  await client.query('DELETE FROM verbrauch_liste WHERE mandant_id = $1 AND tag = ANY($2::date[])', days);
  for await (const page of pagesOf(client, PAIRS, days, ROWS_AT_ONCE))
    for (const [tag, rows] of Map.groupBy(page as Row[], ([tag]) => tag))
      await writeLists(client, { mandant_id, tag }, 0, rows.map(toListOf));
  await client.query(
    `UPDATE verbrauch_tagesstand t SET gelistet = n.stand, gelistet_am = now()
     FROM unnest($2::date[], $3::bigint[]) AS n (tag, stand)
     WHERE t.mandant_id = $1 AND t.tag = n.tag AND t.geaendert = n.stand AND t.verdichtet = n.stand`,
    [...days, staende],
  );
}

/** Makes the lists of days whose pairs the former release has made. */
export const takeOverPairs = ({ owner, log }: Pick<JobContext, 'owner' | 'log'>) =>
  forEveryMandant({ owner, log }, DAYS, (_, days: Days) =>
    owner.transaction((client) => takeOver(client, days)),
  );
