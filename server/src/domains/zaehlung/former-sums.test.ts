/** Running sums begin with what former releases have kept of all calls and of agents, what was kept call by call among it. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DIMENSION_NAMES, FIGURE_NAMES } from '#contracts';
import { HISTOGRAMS } from '#domains/verbrauch/index.ts';
import { registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';

const MIGRATION = new URL('../../../migrations/0140_laufende_summen.sql', import.meta.url);

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

const HOUR = 3_600_000;
const hoursAgo = (hours: number) =>
  new Date(Math.floor(Date.now() / HOUR) * HOUR - hours * HOUR).toISOString();

const figures = (more: object) => ({
  ...Object.fromEntries([...FIGURE_NAMES, ...HISTOGRAMS].map((name) => [name, 0])),
  ...more,
});
const insert = (table: string, row: object) =>
  service.sql(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')})
     SELECT ${Object.keys(row).join(', ')} FROM jsonb_populate_record(NULL::${table}, $1)`,
    [JSON.stringify(row)],
  );

const LONG = 200 * 24;

test.each([
  ['30d', []],
  ['205d', [LONG]],
])('all calls and each agent, of 48 hours, and of what a rule over %s needs', async (zeitfenster, older) => {
  const { mandantId: mandant_id } = await registerAccount(service);
  await service.sql('INSERT INTO zaehlstaende (mandant_id) VALUES ($1)', [mandant_id]);
  await service.sql(
    `INSERT INTO regeln (mandant_id, name, typ, geltungsbereich, stufe, schwelle, einheit, zeitfenster, schattenbetrieb, aktiv, parameter)
     VALUES ($1, 'x', 'kosten_grenze', 'mandant', 'warnen', 1, 'eur', $2, true, true, '{"je":"bereich"}')`,
    [mandant_id, zeitfenster],
  );
  const calls = figures({
    ...{ aufrufe: 3, fehler: 1, unbepreist: 1, geschaetzt: 2, eingabe_token: 10, ausgabe_token: 5 },
    ...{ kosten_eur: '0.25', latenz: '1e12', erste_zeichen: 2 },
  });
  for (const [dimension, merkmal_id] of [
    [0, 0],
    [1, 7],
    [2, 8],
  ])
    for (const [table, column] of [
      ['verbrauch_minute', 'minute'],
      ['verbrauch_stunde', 'stunde'],
    ] as const)
      for (const hours of [2, 60, LONG])
        await insert(table, { mandant_id, dimension, merkmal_id, [column]: hoursAgo(hours), ...calls });
  const single = (nummer: number, hours: number, minute: string | null) =>
    insert('verbrauch_einzeln', {
      ...{ mandant_id, marke: 1, nummer, minute, stunde: hoursAgo(hours), tag: hoursAgo(hours).slice(0, 10) },
      ...Object.fromEntries(DIMENSION_NAMES.map((name) => [name, 7])),
      ...figures({ aufrufe: 1, eingabe_token: 4, kosten_eur: '0.5', latenz: 1 }),
    });
  await single(1, 2, hoursAgo(2));
  await single(2, 70, null);
  const sql = await readFile(MIGRATION, 'utf8');
  await service.sql('TRUNCATE verbrauch_laufend_minute, verbrauch_laufend_stunde');
  await service.sql(sql.slice(sql.indexOf('UPDATE zaehlstaende z SET stunden_ab')));
  const both = {
    ...{ aufrufe: 4, fehler: 1, unbepreist: 1, geschaetzt: 2, token: '19', kosten_eur: '0.75' },
    ...{ latenz: '1000000000001', erste_zeichen: '2' },
  };
  const summed = { ...both, aufrufe: 3, token: '15', kosten_eur: '0.25', latenz: '1000000000000' };
  const one = { ...both, aufrufe: 1, fehler: 0, unbepreist: 0, geschaetzt: 0, token: '4', kosten_eur: '0.5' };
  const rowsOf = (table: string, column: string) =>
    service.sql(
      `SELECT dimension, merkmal_id, ${column} AS zeit, aufrufe, fehler, unbepreist, geschaetzt, token::text,
         trim_scale(kosten_eur)::text AS kosten_eur, latenz::text, erste_zeichen::text
       FROM ${table} WHERE mandant_id = $1 ORDER BY dimension, 3`,
      [mandant_id],
    );
  const at = (hours: number) => hoursAgo(hours).replace('.000', '');
  const values = [
    { dimension: 0, merkmal_id: 0 },
    { dimension: 1, merkmal_id: 7 },
  ];
  expect(await rowsOf('verbrauch_laufend_minute', 'minute')).toEqual(
    values.map((value) => ({ ...value, zeit: at(2), ...both })),
  );
  expect(await rowsOf('verbrauch_laufend_stunde', 'stunde')).toEqual(
    values.flatMap((value) => [
      ...older.map((hours) => ({ ...value, zeit: at(hours), ...summed })),
      { ...value, zeit: at(70), ...one, latenz: '1', erste_zeichen: '0' },
      { ...value, zeit: at(60), ...summed },
      { ...value, zeit: at(2), ...both },
    ]),
  );
});
