/** Statements that put batches into the inbox. */
import type { MandantId } from '#kernel/mandant-id.ts';
import type { BoundStatements } from '#platform/database/index.ts';

/** A batch as the inbox keeps it. */
export interface Batch {
  mandant: MandantId;
  eingangId: string;
  empfangenAm: Date;
  schluesselId: string;
  projekt: string | null;
  /** Distinct events; 0 stores nothing but the idempotency key. */
  anzahl: number;
  /** Bytes of the batch, unpacked. */
  umfang: number;
  daten: Buffer;
  idempotency: { key: Buffer; requestHash: Buffer } | null;
  /** The answer's JSON text, stored with the idempotency key. */
  antwort: string;
}

/** Under which name its keys are kept. */
export const OPERATION = 'ereignisse.annehmen';
/** Values of a row of the inbox. */
const COLUMNS = 8;

const INSERT = `INSERT INTO eingang (mandant_id, eingang_id, empfangen_am, schluessel_id, projekt, anzahl, umfang, daten)`;
const INSERT_KEY = `INSERT INTO idempotenz (mandant_id, operation, schluessel, anfrage_hash, antwort)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`;
/** The batch of the key that was just inserted: of one that was there before, the answer names another batch. */
const INSERT_OF_KEY = `${INSERT}
  SELECT k.mandant_id, $2::uuid, $3::timestamptz, $4::uuid, $5::text, $6::int, $7::int, $8::bytea FROM idempotenz k
  WHERE k.mandant_id = $1 AND k.operation = $9 AND k.schluessel = $10 AND k.antwort = $11 AND $6::int > 0`;

const rowOf = (batch: Batch) => [
  batch.mandant,
  batch.eingangId,
  batch.empfangenAm.toISOString(),
  batch.schluesselId,
  batch.projekt,
  batch.anzahl,
  batch.umfang,
  batch.daten,
];

const insertsRows: { name: string; text: string }[] = [];

/** The statement that inserts a number of rows. */
function insertRows(count: number): { name: string; text: string } {
  insertsRows[count] ??= { name: `eingang_${count}`, text: textForRows(count) };
  return insertsRows[count];
}

function textForRows(count: number): string {
  const rows = Array.from({ length: count }, (_, row) => {
    const places = Array.from({ length: COLUMNS }, (_, column) => `$${row * COLUMNS + column + 1}`);
    return `(${places.join(',')})`;
  });
  return `${INSERT} VALUES ${rows.join(',')}`;
}

/** Batches without a key, of whatever Mandanten, in one statement: each of its own would cost as much as a small batch does else. */
export function insertPlain(batches: Batch[]): BoundStatements[] {
  const filled = batches.filter((batch) => batch.anzahl > 0);
  const [first, ...others] = new Set(filled.map(({ mandant }) => mandant));
  if (first === undefined) return [];
  const statement = { ...insertRows(filled.length), values: filled.flatMap(rowOf) };
  return [{ mandanten: [first, ...others], statements: [statement] }];
}

/**
 * Key and batch in one transaction: neither can be stored without the other. A key in use by another commit is waited for.
 * Two statements, because a cluster sends each of them to one node as it is.
 */
export function insertWithKey(batch: Batch): BoundStatements['statements'] {
  const { mandant, idempotency, antwort } = batch;
  return [
    {
      name: 'eingang_schluessel',
      text: INSERT_KEY,
      values: [mandant, OPERATION, idempotency?.key, idempotency?.requestHash, antwort],
    },
    {
      name: 'eingang_zum_schluessel',
      text: INSERT_OF_KEY,
      values: [...rowOf(batch), OPERATION, idempotency?.key, antwort],
    },
  ];
}
