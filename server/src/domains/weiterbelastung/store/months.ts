/** SQL of closed months. Months are `YYYY-MM`, amounts plain decimals, times ISO 8601 in UTC. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import type { Terms } from '../rules.ts';
import type { Settings } from './settings.ts';

export type ClosedMonth = Terms & {
  monat: string;
  zeitzone: string;
  geschlossen_am: string;
  geschlossen_von: string | null;
  /** How often its days had changed when they were last billed. */
  stand: string;
  /** Settings of accounting as they were then; null where that was not kept. */
  buchhaltung: Settings | null;
  /** Whether its lines say what each reference has of them, where several do. */
  anteile_bekannt: boolean;
};

/** How statements of a month present who sends them. */
export interface Sender {
  name: string;
  farbe: string | null;
  fusszeile: string | null;
}

/** What is kept besides of a month that is closed. */
export interface MonthTerms {
  /** References that count for another one, by that one. */
  zuordnung: Record<string, string>;
  absender: Sender;
  logo: Uint8Array | null;
}

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
    .select(['buchhaltung', 'anteile_bekannt'])
    .$narrowType<Pick<ClosedMonth, 'buchhaltung'>>()
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

export async function insertMonth(tx: MandantTx, month: ClosedMonth & MonthTerms): Promise<void> {
  await tx
    .insertInto('abrechnungsmonate')
    .values({
      ...month,
      monat: firstDay(month.monat),
      mandant_id: tx.mandant,
      zuordnung: JSON.stringify(month.zuordnung),
      buchhaltung: JSON.stringify(month.buchhaltung),
      absender: JSON.stringify(month.absender),
      logo: month.logo && Buffer.from(month.logo),
    })
    .execute();
}

const ofMonth = (tx: MandantTx, monat: string) =>
  tx
    .selectFrom('abrechnungsmonate')
    .where('mandant_id', '=', tx.mandant)
    .where(sql<boolean>`monat = ${firstDay(monat)}::date`);

/** The references that counted for another one when the month was closed, with that one; null where that was not kept. */
export async function readGrouping(tx: MandantTx, monat: string): Promise<Map<string, string> | null> {
  const row = await ofMonth(tx, monat).select('zuordnung').executeTakeFirst();
  return row?.zuordnung ? new Map(Object.entries(row.zuordnung as MonthTerms['zuordnung'])) : null;
}

/** Who sends the statements of a closed month; null where that was not kept, or the month is open. */
export async function readSender(
  tx: MandantTx,
  monat: string,
): Promise<(Sender & { logo: Uint8Array | null }) | null> {
  const row = await ofMonth(tx, monat).select(['absender', 'logo']).executeTakeFirst();
  return row?.absender ? { ...(row.absender as Sender), logo: row.logo } : null;
}

/** The batch of a closed month takes these. */
export async function setSettings(tx: MandantTx, monat: string, settings: Settings): Promise<void> {
  await sql`UPDATE abrechnungsmonate SET buchhaltung = ${JSON.stringify(settings)}::json
    WHERE mandant_id = ${tx.mandant} AND monat = ${firstDay(monat)}::date`.execute(tx);
}

/** What has changed in the month up to this number is billed. */
export async function setBilled(tx: MandantTx, monat: string, stand: string): Promise<void> {
  await sql`UPDATE abrechnungsmonate SET stand = ${stand}::numeric
    WHERE mandant_id = ${tx.mandant} AND monat = ${firstDay(monat)}::date`.execute(tx);
}
