/** SQL of the Mandant itself and its settings. Instants go in and come out as ISO 8601 in UTC. */
import type pg from 'pg';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { MandantTx } from '#platform/database/index.ts';

export interface BrandingRow {
  branding_name: string | null;
  branding_farbe: string | null;
  branding_logo_url: string | null;
  branding_fusszeile: string | null;
}

export interface MandantRow extends BrandingRow {
  mandant_id: string;
  firma: string;
  paket: string;
  paket_bis: string | null;
  paket_quelle: 'frei' | 'buchung' | 'lizenz' | 'betreiber';
  abrechnungsstatus: 'keine' | 'aktiv' | 'probe' | 'zahlung_offen' | 'gekündigt';
  status: 'aktiv' | 'gekündigt';
  zeitzone: string;
  avv_akzeptiert_am: string | null;
  avv_akzeptiert_von: string | null;
  /** Version of the agreement; null also for one accepted before versions were stored. */
  avv_fassung: string | null;
  demo: boolean;
  /** Whether calls that were converted at the substitute may get reference rates. */
  ersatzkurs_ersetzen: boolean;
  /** Own names of attributes of OpenTelemetry. */
  endkunde_namen: string[];
  funktion_namen: string[];
  projekt_namen: string[];
  /** Keys of the free data that are dimensions of its own, from an instant of receipt on (ISO 8601); the latest last. */
  eigene_merkmale: { ab: string; namen: string[] }[];
  /** Whether calls that a subscription pays for are passed on. */
  abo_weiterbelasten: boolean;
  erstellt_am: string;
  gekuendigt_am: string | null;
}

/** Whose calls are, where programs say it in their own words. */
export type ZuordnungRow = Pick<
  MandantRow,
  'endkunde_namen' | 'funktion_namen' | 'projekt_namen' | 'eigene_merkmale' | 'abo_weiterbelasten'
>;

const COLUMNS = [
  'mandant_id',
  'firma',
  'paket',
  'paket_bis',
  'paket_quelle',
  'abrechnungsstatus',
  'status',
  'zeitzone',
  'avv_akzeptiert_am',
  'avv_akzeptiert_von',
  'avv_fassung',
  'demo',
  'ersatzkurs_ersetzen',
  'endkunde_namen',
  'funktion_namen',
  'projekt_namen',
  'eigene_merkmale',
  'abo_weiterbelasten',
  'erstellt_am',
  'gekuendigt_am',
  'branding_name',
  'branding_farbe',
  'branding_logo_url',
  'branding_fusszeile',
] as const;

/** The accepted agreement: all of it null, or what, when and by whom. */
export type AvvColumns = Pick<MandantRow, 'avv_akzeptiert_am' | 'avv_akzeptiert_von' | 'avv_fassung'>;

export type NewMandant = Pick<MandantRow, 'mandant_id' | 'firma' | 'paket' | 'zeitzone' | 'erstellt_am'> &
  AvvColumns;

export async function insertMandant(tx: MandantTx, mandant: NewMandant): Promise<void> {
  await tx.insertInto('mandanten').values(mandant).execute();
}

/** The Mandant the transaction is bound to. */
export function readMandant(tx: MandantTx): Promise<MandantRow> {
  return tx
    .selectFrom('mandanten')
    .select(COLUMNS)
    .$narrowType<Pick<MandantRow, 'eigene_merkmale'>>()
    .executeTakeFirstOrThrow();
}

/**
 * Reads the Mandant the transaction is bound to and lets nobody else in here until the transaction ends: what is decided
 * on what was read stays true. Those who only refer to the row (every batch that arrives) are not held up.
 */
export function lockMandant(tx: MandantTx): Promise<MandantRow> {
  return tx
    .selectFrom('mandanten')
    .select(COLUMNS)
    .$narrowType<Pick<MandantRow, 'eigene_merkmale'>>()
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/**
 * Keeps the Mandant of the transaction from being removed until that ends, for jobs that write something of it; nobody else has
 * to wait. False when it is gone.
 */
export async function holdMandant(tx: MandantTx): Promise<boolean> {
  const row = await tx.selectFrom('mandanten').select('mandant_id').forKeyShare().executeTakeFirst();
  return row !== undefined;
}

/** What operators decide about, and what they need for it. */
export type MandantOfOperator = Pick<
  MandantRow,
  'firma' | 'zeitzone' | 'paket' | 'paket_bis' | 'paket_quelle' | 'abrechnungsstatus'
> & {
  betreiber_notiz: string | null;
  /** What all keys together may send in a minute; null is what the configuration says. */
  anfragen_je_minute: number | null;
  ereignisse_je_minute: number | null;
};

/** The Mandant the transaction is bound to, locked until it ends; undefined when there is none. */
export function lockForOperator(tx: MandantTx): Promise<MandantOfOperator | undefined> {
  return tx
    .selectFrom('mandanten')
    .select([
      'firma',
      'zeitzone',
      'paket',
      'paket_bis',
      'paket_quelle',
      'abrechnungsstatus',
      'betreiber_notiz',
      'anfragen_je_minute',
      'ereignisse_je_minute',
    ])
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Sets what an operator decides. */
export async function updateForOperator(
  tx: MandantTx,
  mandant: MandantId,
  columns: Omit<MandantOfOperator, 'firma' | 'zeitzone'>,
): Promise<void> {
  await tx.updateTable('mandanten').set(columns).where('mandant_id', '=', mandant).execute();
}

/** Sets the given columns of a Mandant. */
export async function updateMandant(
  tx: MandantTx,
  mandant: MandantId,
  {
    eigene_merkmale: own,
    ...columns
  }: Partial<BrandingRow & AvvColumns & Pick<MandantRow, 'ersatzkurs_ersetzen'> & ZuordnungRow>,
): Promise<void> {
  const withOwn = { ...columns, ...(own ? { eigene_merkmale: JSON.stringify(own) } : {}) };
  await tx.updateTable('mandanten').set(withOwn).where('mandant_id', '=', mandant).execute();
}

/**
 * Notes that operators get a mail, for a local month (`2026-07`) each, that these Mandanten are beyond their package. Runs as
 * owner; resolves with those that were not yet noted for that month.
 */
export async function noteOverLimits(
  client: pg.PoolClient,
  over: readonly { mandant_id: string; monat: string }[],
): Promise<Set<string>> {
  const noted = await client.query<{ mandant_id: string }>(
    `UPDATE mandanten SET grenze_gemeldet = n.monat FROM unnest($1::uuid[], $2::text[]) AS n (mandant_id, monat)
     WHERE mandanten.mandant_id = n.mandant_id AND mandanten.grenze_gemeldet IS DISTINCT FROM n.monat
     RETURNING mandanten.mandant_id`,
    [over.map(({ mandant_id }) => mandant_id), over.map(({ monat }) => monat)],
  );
  return new Set(noted.rows.map(({ mandant_id }) => mandant_id));
}
