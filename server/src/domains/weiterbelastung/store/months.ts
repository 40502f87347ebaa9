/** SQL of closed months. Months are `YYYY-MM`, amounts plain decimals, times ISO 8601 in UTC. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import type { Terms } from '../rules.ts';

export type ClosedMonth = Terms & {
  monat: string;
  zeitzone: string;
  geschlossen_am: string;
  geschlossen_von: string | null;
  /** How often its days had changed when they were last billed. */
  stand: string;
};

const MONTH = (column: string) => sql<string>`to_char(${sql.ref(column)}, 'YYYY-MM')`;
/** The first day of a month, as the tables have it. */
export const firstDay = (monat: string) => `${monat}-01`;
const exact = <T extends string | null>(column: string) => sql<T>`trim_scale(${sql.ref(column)})::text`;

/** All of them, the latest first. */
export const readClosedMonths = (tx: MandantTx): Promise<ClosedMonth[]> =>
  tx
    .selectFrom('abrechnungsmonate')
    .select([
      MONTH('monat').as('monat'),
      'zeitzone',
      'verbranntes_berechnen',
      'aufschlag_ausweisen',
      'geschlossen_am',
      'geschlossen_von',
    ])
    .select([
      exact<string | null>('steuersatz_prozent').as('steuersatz_prozent'),
      exact<string>('stand').as('stand'),
    ])
    .where('mandant_id', '=', tx.mandant)
    .orderBy('abrechnungsmonate.monat', 'desc')
    .execute();

/** How often the days of a month have changed: another number means other sums. */
export async function readChanges(tx: MandantTx, monat: string): Promise<string> {
  const { rows } = await sql<{ stand: string }>`
    SELECT coalesce(sum(geaendert), 0)::text AS stand FROM verbrauch_tagesstand
    WHERE mandant_id = ${tx.mandant} AND tag >= ${firstDay(monat)}::date
      AND tag < (${firstDay(monat)}::date + interval '1 month')`.execute(tx);
  return rows[0]?.stand ?? '0';
}

export async function insertMonth(tx: MandantTx, month: ClosedMonth): Promise<void> {
  await tx
    .insertInto('abrechnungsmonate')
    .values({ ...month, monat: firstDay(month.monat), mandant_id: tx.mandant })
    .execute();
}

/** What has changed in the month up to this number is billed. */
export async function setBilled(tx: MandantTx, monat: string, stand: string): Promise<void> {
  await sql`UPDATE abrechnungsmonate SET stand = ${stand}::numeric
    WHERE mandant_id = ${tx.mandant} AND monat = ${firstDay(monat)}::date`.execute(tx);
}
