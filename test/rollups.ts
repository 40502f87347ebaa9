/** Counted consumption for tests of the reading side, put into the sums as counting would. */

import { randomUUID } from 'node:crypto';
import {
  DIMENSION_NAMES,
  DIMENSIONS,
  type DimensionName,
  FIGURE_NAMES,
  FIGURES,
  type FigureName,
} from '#contracts';
import { DAY_FIGURES, GRAINS, SUM_COLUMNS } from '#domains/verbrauch/index.ts';
import { type AmountName, scaleOf } from '#domains/verbrauch/pieces/columns.ts';
import { sqlTypeOf } from '#domains/verbrauch/rollup.ts';
import { hourStart, toUtc } from '#kernel/zeitraum.ts';
import { addPiece, type MadeRow } from './made-pieces.ts';
import type { TestService } from './service.ts';

/** What the calls of one hour with the same values sum up to; `stunde` is the instant the local hour begins, `tag` its day. */
export type Consumption = { stunde: string; tag: string; agent: string } & Partial<
  Record<DimensionName, string>
> &
  Partial<Record<FigureName, string | number | null>>;

const NAMES = new Set<string>(FIGURE_NAMES);
const TEXTS = DIMENSION_NAMES.map((name) => `${name} text`).join(', ');
const TYPES = FIGURE_NAMES.map((name) => `${name} ${sqlTypeOf(name)}`).join(', ');
const NEW = `jsonb_to_recordset($3::jsonb) AS n (stunde timestamptz, tag date, ${TEXTS}, ${TYPES})`;
/** A row for each dimension of each row, and one for the total. */
const BY_VALUE = `(SELECT n.*, d.dimension, d.text, coalesce(m.merkmal_id, 0) AS merkmal_id FROM ${NEW}
  CROSS JOIN LATERAL (VALUES (0, ''), ${DIMENSION_NAMES.map((name) => `(${DIMENSIONS[name].number}, n.${name})`).join(', ')})
    AS d (dimension, text)
  LEFT JOIN merkmale m ON m.mandant_id = $1 AND m.dimension = d.dimension AND m.text = d.text)`;
const ADD_VALUES = `
  INSERT INTO merkmale (mandant_id, dimension, text, merkmal_id)
  SELECT $1, dimension, text, row_number() OVER ()
    + (SELECT coalesce(max(merkmal_id), 0) FROM merkmale WHERE mandant_id = $1)
  FROM (SELECT DISTINCT d.dimension, d.text FROM ${NEW} CROSS JOIN LATERAL (VALUES
    ${DIMENSION_NAMES.map((name) => `(${DIMENSIONS[name].number}, n.${name})`).join(', ')}) AS d (dimension, text)) AS werte
  WHERE $2::text IS NULL AND NOT EXISTS (SELECT FROM merkmale m WHERE m.mandant_id = $1
    AND m.dimension = werte.dimension AND m.text = werte.text)`;

const addTo = (grain: keyof typeof GRAINS): string => {
  const { table, column } = GRAINS[grain];
  const sums = SUM_COLUMNS.map(({ name }) => name);
  const added = sums.map((name) =>
    name === 'token' ? 'sum(eingabe_token + ausgabe_token)' : NAMES.has(name) ? `sum(${name})` : '0',
  );
  return `INSERT INTO ${table} (mandant_id, dimension, ${column}, merkmal_id, ${sums.join(', ')})
    SELECT $1, dimension, stunde, merkmal_id,
      ${added.join(', ')}
    FROM ${BY_VALUE} AS v WHERE $2::text IS NULL AND (dimension < 2 OR EXISTS (SELECT FROM verbrauch_gefuehrt g
      WHERE g.mandant_id = $1 AND g.dimension = v.dimension AND g.text = v.text AND g.seit IS NOT NULL)) GROUP BY 1, 2, 3, 4
    ON CONFLICT (mandant_id, dimension, ${column}, merkmal_id) DO UPDATE SET
      ${sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`;
};

const DEFAULTS = {
  ...Object.fromEntries(DIMENSION_NAMES.map((name) => [name, ''])),
  ...Object.fromEntries(FIGURE_NAMES.map((name) => [name, 0])),
  projekt: 'standard',
  anbieter: 'openai',
  modell: 'gpt-5',
  aufrufe: 1,
};

/** All calls have their tokens divided, unless it is said otherwise. */
function withDefaults(row: object) {
  const complete = { ...DEFAULTS, ...row };
  return 'aufgeteilt' in row ? complete : { ...complete, aufgeteilt: complete.aufrufe };
}

/** An amount as text (also `1e-12`) in units of 10^-scale, rounded towards 0. */
function unitsOf(text: string, scale: number): bigint {
  const [digits = '0', exponent = '0'] = text.split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  const places = scale + Number(exponent) - fraction.length;
  const units = BigInt(whole + fraction);
  return places >= 0 ? units * 10n ** BigInt(places) : units / 10n ** BigInt(-places);
}

/** The row as one of a piece. */
function toMadeRow({ stunde, tag, ...row }: Consumption): MadeRow {
  const figures = FIGURE_NAMES.map((name) => {
    const value = `${row[name] ?? 0}`;
    const { kind } = FIGURES[name];
    const isAmount = kind === 'usd' || kind === 'eur';
    return [name, isAmount ? unitsOf(value, scaleOf(name as AmountName)) : Number(value)];
  });
  return { ...row, ms: Date.parse(stunde), tag, ...Object.fromEntries(figures) };
}

/** Adds rows to the sums of every grain, and a piece of them. */
async function addSums(service: TestService, mandantId: string, rows: Consumption[]): Promise<void> {
  const complete = rows.map((row) => withDefaults(row) as Consumption);
  const json = JSON.stringify(complete);
  await service.sql(ADD_VALUES, [mandantId, null, json]);
  for (const grain of Object.keys(GRAINS) as (keyof typeof GRAINS)[])
    await service.sql(addTo(grain), [mandantId, null, json]);
  await addPiece(service, mandantId, complete.map(toMadeRow));
}

/** Adds the rows to all sums. An amount that is null or left out is 0, as counting has it for calls without a price. */
export async function addConsumption(
  service: TestService,
  mandantId: string,
  rows: Consumption[],
): Promise<void> {
  const complete = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
  );
  await addSums(service, mandantId, complete as Consumption[]);
  await service.sql(
    `INSERT INTO verbrauch_tagesstand (mandant_id, tag, geaendert)
     SELECT $1, tag, 1 FROM unnest($2::date[]) AS tag ON CONFLICT DO NOTHING`,
    [mandantId, [...new Set(rows.map(({ tag }) => tag))]],
  );
  await addDays(service, mandantId, complete as Consumption[]);
}

const ADD_DAYS = `UPDATE verbrauch_tagesstand t SET ${DAY_FIGURES.map((name) => `${name} = t.${name} + s.${name}`).join(', ')}
  FROM (SELECT tag, ${DAY_FIGURES.map((name) => `sum(${name}) AS ${name}`).join(', ')} FROM ${NEW} GROUP BY tag) AS s
  WHERE t.mandant_id = $1 AND t.tag = s.tag AND $2::text IS NULL`;

/** Adds the rows to what their days add up to. */
const addDays = (service: TestService, mandantId: string, rows: Consumption[]) =>
  service.sql(ADD_DAYS, [mandantId, null, JSON.stringify(rows.map(withDefaults))]);

/** One call; null where it has no value of a dimension or, in `usd` (in 10^-12), no known price. One EUR is one USD. */
export type Call = Record<DimensionName, string | null> & {
  ms: number;
  failed: boolean;
  geschaetzt: boolean;
  eingabe_token: number | null;
  usd: bigint | null;
};

const EVENT_COLUMNS = DIMENSION_NAMES.map((name) => DIMENSIONS[name].column).join(', ');

const ADD_EVENTS = `
  INSERT INTO ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, ${EVENT_COLUMNS}, status, geschaetzt, quelle,
    eingabe_token, kosten_usd, kurs_usd_eur)
  SELECT $1, gen_random_uuid(), to_timestamp(ms / 1000.0), now(), ${DIMENSION_NAMES.join(', ')},
    CASE WHEN failed THEN 'fehler' ELSE 'erfolgreich' END, geschaetzt, 'test', eingabe_token, usd * 1e-12, 1
  FROM jsonb_to_recordset($2::jsonb) AS n (ms bigint, failed boolean, geschaetzt boolean, eingabe_token bigint,
    usd numeric, ${TEXTS})`;

function toConsumption(call: Call, zone: string): Consumption {
  const local = Temporal.Instant.fromEpochMilliseconds(call.ms).toZonedDateTimeISO(zone);
  const cost = call.usd === null ? 0 : `${call.usd}e-12`;
  return {
    ...Object.fromEntries(DIMENSION_NAMES.map((name) => [name, call[name] ?? ''])),
    agent: call.agent ?? '',
    stunde: toUtc(hourStart(local)),
    tag: local.toPlainDate().toString(),
    fehler: call.failed ? 1 : 0,
    unbepreist: call.usd === null ? 1 : 0,
    geschaetzt: call.geschaetzt ? 1 : 0,
    eingabe_token: call.eingabe_token ?? 0,
    kosten_usd: cost,
    kosten_eur: cost,
    geschaetzt_eur: call.geschaetzt ? cost : 0,
    verbranntes_geld_eur: call.failed ? cost : 0,
  };
}

/** Adds calls as counting does: to the events and to all sums; their days are told as changed. */
export async function addEvents(
  service: TestService,
  mandantId: string,
  calls: Call[],
  zone = 'Europe/Berlin',
): Promise<void> {
  const json = JSON.stringify(
    calls.map((call) => ({ ...call, usd: call.usd === null ? null : `${call.usd}` })),
  );
  await service.sql(ADD_EVENTS, [mandantId, json]);
  const rows = calls.map((call) => toConsumption(call, zone));
  await addSums(service, mandantId, rows);
  await service.sql(
    `INSERT INTO verbrauch_tagesstand (mandant_id, tag, geaendert, geaendert_am)
     SELECT $1, tag, 1, now() - interval '1 hour' FROM unnest($2::date[]) AS tag
     ON CONFLICT (mandant_id, tag) DO UPDATE SET geaendert = verbrauch_tagesstand.geaendert + 1`,
    [mandantId, [...new Set(rows.map(({ tag }) => tag))]],
  );
  await addDays(service, mandantId, rows);
}

/** A new agent of the catalog, without a call unless the instant of its last one is given; returns its id. */
export async function addAgent(
  service: TestService,
  mandantId: string,
  schluessel: string,
  lastCall: string | null = null,
): Promise<string> {
  const [row] = await service.sql<{ agent_id: string }>(
    `INSERT INTO agenten (mandant_id, schluessel, name, projekt, letzter_aufruf_am)
     VALUES ($1, $2, $2, 'standard', $3) RETURNING agent_id`,
    [mandantId, schluessel, lastCall],
  );
  return (row as { agent_id: string }).agent_id;
}

export interface Run {
  lauf_id?: string;
  agent: string;
  beginn: string;
  ende: string;
  status?: string;
  fehler?: number;
  kosten_eur?: string | null;
}

/** A new run; returns its id. */
export async function addRun(service: TestService, mandantId: string, run: Run): Promise<string> {
  const laufId = run.lauf_id ?? randomUUID();
  await service.sql(
    `INSERT INTO laeufe (mandant_id, lauf_id, agent, projekt, status, beginn, ende, aufrufe, fehler, unbepreist,
       eingabe_token, ausgabe_token, cache_lese_token, kosten_usd, kosten_eur, verbranntes_geld_eur)
     VALUES ($1, $2, $3, 'standard', $4, $5, $6, 2, $7, 0, 100, 20, 5, NULL, $8::numeric, 0)`,
    [
      mandantId,
      laufId,
      run.agent,
      run.status ?? 'erfolgreich',
      run.beginn,
      run.ende,
      run.fehler ?? 0,
      run.kosten_eur ?? null,
    ],
  );
  return laufId;
}
