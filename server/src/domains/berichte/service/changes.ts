/** What changed against the week before. */
import { REPORT_CHANGES, REPORT_DIMENSIONS, WEEKS_BEFORE } from '#contracts';
import { readAgentsOf } from '#domains/katalog/index.ts';
import { type ChangeRow, changes, type Snapshot } from '#domains/verbrauch/index.ts';
import { toCount } from '#kernel/count.ts';
import { type Report, windowOf } from '../rules.ts';

type Change = Report['aenderungen'][number]['neu'][number];

/** Names of agents that a person has named, by key. */
export async function namesOf(snapshot: Snapshot, keys: string[]): Promise<Map<string, string>> {
  const agents = keys.length === 0 ? [] : await readAgentsOf(snapshot.tx, [...new Set(keys)]);
  return new Map(
    agents
      .filter(({ name, schluessel }) => name !== schluessel)
      .map(({ schluessel, name }) => [schluessel, name]),
  );
}

/** Agents, models and end customers that changed most; nothing of a first week. */
export async function readChangesOf(
  snapshot: Snapshot,
  monday: Temporal.PlainDate,
  isFirst: boolean,
): Promise<Report['aenderungen']> {
  const { tx, engine, zone } = snapshot;
  const window = windowOf(monday, zone);
  const before = windowOf(monday.subtract({ weeks: 1 }), zone);
  const earlier = { von: windowOf(monday.subtract({ weeks: WEEKS_BEFORE }), zone).von, bis: window.von };
  const question = { window, before, earlier, most: REPORT_CHANGES };
  const told: Report['aenderungen'] = [];
  for (const merkmal of isFirst ? [] : REPORT_DIMENSIONS) {
    const rows = await changes(engine, tx, { ...question, by: merkmal });
    const keys = merkmal === 'agent' ? rows.map(({ schluessel }) => schluessel) : [];
    const names = await namesOf(snapshot, keys);
    const toChange = ({ schluessel, aufrufe, kosten_eur, vorher_eur, differenz_eur }: ChangeRow): Change => ({
      schluessel,
      name: names.get(schluessel) ?? null,
      aufrufe: toCount(aufrufe),
      kosten_eur,
      vorher_eur,
      differenz_eur,
    });
    const placed = (place: 'gestiegen' | 'gesunken' | 'neu') =>
      rows
        .filter((row) => (row[place] ?? Number.POSITIVE_INFINITY) <= REPORT_CHANGES)
        .sort((a, b) => Number(a[place]) - Number(b[place]))
        .map(toChange);
    told.push({
      merkmal,
      gestiegen: placed('gestiegen'),
      gesunken: placed('gesunken'),
      neu: placed('neu'),
      neu_anzahl: rows[0]?.neu_anzahl ?? 0,
    });
  }
  return told;
}
