/** Compares what the service answers with what the events add up to, to the last digit. */
import { expect } from 'vitest';
import type { DimensionName } from '#contracts';
import type { Account } from './account.ts';
import { figures, type Gruppe, KEYS, rowsOf, sumOf, type Truth, VALUES } from './reference-sums.ts';
import type { TestService } from './service.ts';

export type Row = Record<string, string | null> & { schluessel: string };
export interface Answer {
  zeilen: Row[];
  summe: Record<string, string | null>;
}

/** An answer with its numbers as the digits they were sent in. */
export const withDigits = (text: string): unknown =>
  JSON.parse(text, (_key, value, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  );

/** Rows by their key, which is no part of them. */
export const keyed = (rows: Row[], key: (row: Row) => string): Record<string, object> => {
  expect(new Set(rows.map(key)).size).toBe(rows.length);
  return Object.fromEntries(
    rows.map((row) => {
      const { schluessel: _schluessel, projekt: _projekt, endkunde: _endkunde, ...rest } = row;
      return [key(row), rest];
    }),
  );
};

/** A Mandant that sends and reads. */
export interface Sender {
  service: TestService;
  account: Account;
  secret: string;
}

export async function read<T>({ service, secret }: Sender, url: string): Promise<T> {
  const answer = await service.app.inject({ url, headers: { authorization: `Bearer ${secret}` } });
  expect(answer.statusCode, answer.body).toBe(200);
  return withDigits(answer.body) as T;
}

export interface Window {
  query: string;
  von: number;
  bis: number;
}

/** Only calls with this value of this dimension. */
export interface Filter {
  dimension: DimensionName;
  value: string;
}

/** What a window answers by this grouping is what its events add up to. */
export async function checkGrouping(
  sender: Sender,
  events: Truth[],
  { query, von, bis }: Window,
  gruppe: Gruppe,
  filter?: Filter,
): Promise<void> {
  const inside = events.filter(
    (event) =>
      event.ms >= von && event.ms < bis && (!filter || VALUES[filter.dimension](event) === filter.value),
  );
  const where = filter ? `&${new URLSearchParams({ [filter.dimension]: filter.value })}` : '';
  const url = `/v1/api/verbrauch?gruppe=${gruppe}&${query}${where}`;
  const answer = await read<Answer>(sender, url);
  expect(
    keyed(answer.zeilen, (row) => row.schluessel),
    url,
  ).toEqual(rowsOf(inside, KEYS[gruppe]));
  expect(answer.summe, url).toEqual(sumOf(inside));
}

interface RunPage {
  lauf: Row;
  ereignisse: Row[];
  weiter: string | null;
}

/** A run with all its events, page by page. */
async function readRun(sender: Sender, run: string): Promise<RunPage> {
  let page = await read<RunPage>(sender, `/v1/laeufe/${run}`);
  const ereignisse = [...page.ereignisse];
  while (page.weiter !== null) {
    page = await read<RunPage>(sender, `/v1/laeufe/${run}?nach=${page.weiter}`);
    ereignisse.push(...page.ereignisse);
  }
  return { ...page, ereignisse };
}

/** The runs are what their events add up to. */
export async function checkRuns(sender: Sender, events: Truth[], runs: string[]): Promise<void> {
  for (const run of runs) {
    const steps = events.filter(({ sent }) => sent.lauf_id === run);
    if (steps.length === 0) continue;
    const { lauf, ereignisse } = await readRun(sender, run);
    const {
      denk_token: _denk,
      cache_schreib_token: _schreib,
      geschaetzt: _geschaetzt,
      aufgeteilt: _aufgeteilt,
      ...sums
    } = figures(steps);
    expect(lauf).toMatchObject(sums);
    expect(Date.parse(lauf.beginn ?? '')).toBe(Math.min(...steps.map(({ ms }) => ms)));
    expect(Date.parse(lauf.ende ?? '')).toBe(Math.max(...steps.map(({ ms }) => ms)));
    const costs = (values: (string | null | undefined)[]) => values.map(String).sort();
    expect(costs(ereignisse.map((row) => row.kosten_eur))).toEqual(
      costs(steps.map(({ eur }) => eur?.toFixed() ?? null)),
    );
  }
}
