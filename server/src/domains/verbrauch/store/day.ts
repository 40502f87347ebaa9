/** One local day by project and end customer. */
import { sql } from 'kysely';
import { DIMENSIONS } from '#contracts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { GroupSums } from '../lists/group-sums.ts';
import type { Groups } from './answer.ts';
import type { SumsRow } from './figures.ts';
import { readTogether } from './pairs.ts';
import type { Part } from './sums.ts';
import { pageOfGroups, readTexts } from './together.ts';

/** Behind which row a page begins. */
export interface ProjectPosition {
  /** Its place in the order of costs. */
  place: string;
  projekt: string;
  endkunde: string;
}

export type ProjectRow = SumsRow & ProjectPosition;

/**
 * A page of the day by project and end customer, most expensive first, unknown costs last; `total` selects the figures of all
 * its calls. `day` is the whole day.
 */
export async function readDay(
  tx: MandantTx,
  day: Window,
  total: Part,
  { limit, after }: { limit: number; after: ProjectPosition | null },
): Promise<Groups<ProjectRow>> {
  const projects = sql`ARRAY(SELECT merkmal_id FROM merkmale
    WHERE mandant_id = ${tx.mandant} AND dimension = ${DIMENSIONS.projekt.number})`;
  const byProject = await readTogether(tx, day, { by: 'projekt', merkmale: projects, other: 'endkunde' });
  const sums = new GroupSums();
  const named: [projekt: number, endkunde: number][] = [];
  for (const [projekt, customers] of byProject)
    for (const [place, endkunde] of customers.merkmale.entries()) {
      sums.addGroup(sums.placeOf(named.length), customers, place);
      named.push([projekt, endkunde]);
    }
  const keysOf = async (places: number[]) => {
    const groups = places.map((place) => named[place] as [number, number]);
    const texts = await readTexts(tx, [...new Set(groups.flat())]);
    return groups.map((group) => group.map((merkmal) => texts.get(merkmal) as string));
  };
  const position = after && { place: after.place, keys: [after.projekt, after.endkunde] };
  const toKeys = ([projekt = '', endkunde = '']: string[]) => ({ projekt, endkunde });
  const valuesOf = (places: number[]) => Promise.resolve(places.map((place) => sums.values(place)));
  return pageOfGroups(tx, { sums, keysOf, toKeys, valuesOf }, total, { limit, after: position });
}
