/** The history as processes write it: together, over a database that is away, and whatever clocks do. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Trouble } from '#domains/ereignisse/index.ts';
import { asSystem, cloneDatabase, type TestDatabase } from '#test/database.ts';
import { startService, type TestService, withoutDatabase } from '#test/service.ts';
import { createBoard } from './board.ts';
import { createWatch } from './watch.ts';

let service: TestService;
const BEGINNING = Date.parse('2026-05-08T12:00:00Z');
/** Time passes on demand: what has passed for all, in milliseconds, and how far somebody has set the clocks of service and database. */
const world = { passed: 0, service: 0, database: 0 };

/** The clock of this database is one that can be set: `clock_timestamp` is found here before that of the system. */
async function withOwnClock(): Promise<TestDatabase> {
  const database = await cloneDatabase();
  await asSystem(
    database.connection as { host: string; port?: number },
    `CREATE SCHEMA uhr;
     CREATE TABLE uhr.zeit AS SELECT to_timestamp(${BEGINNING / 1_000}) AS jetzt;
     CREATE FUNCTION uhr.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql AS
       'SELECT jetzt FROM uhr.zeit';
     GRANT USAGE ON SCHEMA uhr TO PUBLIC;
     GRANT ALL ON uhr.zeit TO PUBLIC;
     ALTER DATABASE ${database.connection.database} SET search_path = uhr, pg_catalog, public`,
    database.connection.database,
  );
  return database;
}

/** Lets all clocks show what has passed and been set. */
async function turnClocks(): Promise<void> {
  service.clock.set(new Date(Date.now()).toISOString());
  await service.sql(`UPDATE uhr.zeit SET jetzt = to_timestamp($1)`, [
    (BEGINNING + world.passed + world.database) / 1_000,
  ]);
}

beforeAll(async () => {
  vi.spyOn(Date, 'now').mockImplementation(() => BEGINNING + world.passed + world.service);
  service = await startService({}, undefined, await withOwnClock());
});
afterAll(async () => {
  await service.stop();
  vi.restoreAllMocks();
});
beforeEach(async () => {
  Object.assign(world, { passed: 0, service: 0, database: 0 });
  await turnClocks();
  await service.sql('TRUNCATE zustand_spannen, zustand_beobachter');
});

/** Time passes, and these look as often as the service does. */
async function pass(seconds: number, ...observers: Observer[]) {
  for (let left = seconds; left > 0; left -= 15) {
    world.passed += Math.min(left, 15) * 1_000;
    await turnClocks();
    for (const { watch } of observers) await watch.look();
  }
}

type Observer = ReturnType<typeof observer>;

/** A process that looks on demand. */
function observer() {
  let trouble: Trouble = null;
  const clocks = { steady: () => world.passed, wall: () => Date.now() };
  const board = createBoard(service.context, { trouble: async () => trouble }, clocks);
  return {
    board,
    watch: createWatch(service.context, board),
    refuse(why: Trouble) {
      trouble = why;
    },
    statusOf: async (name: string) =>
      (await board.standing()).parts.find((part) => part.name === name)?.status,
  };
}

interface Row {
  status: string;
  seconds: number;
}
/** What is written of a part, in order, with whole seconds. */
const written = (name: string) =>
  service.sql<Row>(
    `SELECT status, round(extract(epoch FROM bis - von))::int AS seconds FROM zustand_spannen
     WHERE komponente = $1 ORDER BY von, bis`,
    [name],
  );
const lengthOf = (rows: Row[], status: string) =>
  rows.filter((row) => row.status === status).reduce((sum, { seconds }) => sum + seconds, 0);

describe('what a process sees', () => {
  test('is written once a minute, and every change at once', async () => {
    const one = observer();
    await one.watch.look();
    await pass(300, one);
    expect(await written('datenbank')).toEqual([{ status: 'ok', seconds: 300 }]);
    one.refuse('unreachable');
    await pass(15, one);
    one.refuse(null);
    await pass(15, one);
    expect(await written('annahme')).toEqual([
      { status: 'ok', seconds: 315 },
      { status: 'gestört', seconds: 15 },
      { status: 'ok', seconds: 0 },
    ]);
    // What was seen while nobody wrote comes at the end.
    await pass(30, one);
    await one.watch.stop();
    expect(await written('annahme')).toMatchObject([{}, {}, { status: 'ok', seconds: 30 }]);
  });

  test('while the database is away is written when it is back, and not before', async () => {
    const one = observer();
    await one.watch.look();
    await pass(60, one);
    await withoutDatabase(service, async () => {
      await pass(90, one);
      expect(await one.statusOf('datenbank')).toBe('gestört');
      expect(await one.statusOf('zaehlung')).toBe('unbekannt');
    });
    expect(await written('datenbank')).toEqual([{ status: 'ok', seconds: 60 }]);
    await pass(15, one);
    expect(await one.statusOf('datenbank')).toBe('ok');
    const rows = await written('datenbank');
    expect(rows.map(({ status }) => status)).toEqual(['ok', 'gestört', 'ok']);
    expect(lengthOf(rows, 'gestört')).toBe(90);
    // Of counting nobody knows anything of that time.
    expect(lengthOf(await written('zaehlung'), 'gestört')).toBe(0);
    await pass(15, one);
    const { lines } = await one.board.history();
    expect(lines.get('datenbank')?.map(({ status }) => status)).toEqual(['ok', 'gestört', 'ok']);
  });
});

describe('several processes', () => {
  test('one writes what all see; what only another saw, and was not well, is added', async () => {
    const [one, two] = [observer(), observer()];
    await one.watch.look();
    await two.watch.look();
    await pass(60, one, two);
    expect(await written('datenbank')).toEqual([{ status: 'ok', seconds: 60 }]);
    two.refuse('unreachable');
    await pass(30, one, two);
    two.refuse(null);
    await pass(60, one, two);
    expect((await written('annahme')).map(({ status }) => status).sort()).toEqual(['gestört', 'ok']);
    expect(await written('kurse')).toHaveLength(1);
    const { lines } = await one.board.history();
    expect(lines.get('annahme')?.some(({ status }) => status === 'gestört')).toBe(true);
  });

  test('another one takes over at once when the writer stops, and after a while when it has died', async () => {
    const [one, two, three] = [observer(), observer(), observer()];
    await one.watch.look();
    await one.watch.stop();
    await two.watch.look();
    expect(await written('datenbank')).toHaveLength(2);
    await three.watch.look();
    expect(await written('datenbank')).toHaveLength(2);
    await pass(120, three);
    expect(await written('datenbank')).toHaveLength(3);
  });
});

describe('clocks', () => {
  test('one that was set shows, is written down, and is over after five minutes', async () => {
    const one = observer();
    await one.watch.look();
    expect(await one.statusOf('uhr')).toBe('ok');
    world.service += 86_400_000;
    await pass(15, one);
    expect(await one.statusOf('uhr')).toBe('eingeschränkt');
    world.service -= 86_400_000;
    await pass(285, one);
    expect(await one.statusOf('uhr')).toBe('eingeschränkt');
    await pass(30, one);
    expect(await one.statusOf('uhr')).toBe('ok');
    expect((await written('uhr')).map(({ status }) => status)).toEqual(['ok', 'eingeschränkt', 'ok']);
    // The other parts were not touched by it.
    expect(await written('datenbank')).toEqual([{ status: 'ok', seconds: 330 }]);
  });

  test('the database’s that was set shows as well; what it has is not drawn out over the hours nobody saw', async () => {
    const one = observer();
    await one.watch.look();
    await pass(60, one);
    world.database += 3_600_000;
    await pass(60, one);
    expect(await one.statusOf('uhr')).toBe('eingeschränkt');
    world.database -= 3_600_000;
    await pass(60, one);
    expect(await one.statusOf('uhr')).toBe('ok');
    // Three minutes were seen, whatever the clock said; what it had put into the future before it was set back is gone.
    const { lines, now } = await one.board.history();
    const seen = lines.get('datenbank') ?? [];
    const length = seen.reduce((sum, { from, to }) => sum + to - from, 0);
    expect(length).toBeGreaterThanOrEqual(120);
    expect(length).toBeLessThanOrEqual(180);
    expect(seen.at(-1)?.to).toBe(now);
  });

  test('what was written while the database’s was ahead is taken back: nobody has seen what is still to come', async () => {
    const one = observer();
    await one.watch.look();
    await service.sql(
      `INSERT INTO zustand_spannen VALUES
         (gen_random_uuid(), 'datenbank', 'gestört', clock_timestamp() + interval '1 day', clock_timestamp() + interval '2 days'),
         (gen_random_uuid(), 'datenbank', 'gestört', clock_timestamp() - interval '1 hour', clock_timestamp() + interval '1 day')`,
    );
    // A term of writing from that time, too.
    await service.sql(
      `UPDATE zustand_beobachter SET gilt_bis = clock_timestamp() + interval '1 day', beobachter = gen_random_uuid()`,
    );
    await pass(60, one);
    expect(
      await service.sql(`SELECT FROM zustand_spannen WHERE bis > clock_timestamp() + interval '5 minutes'`),
    ).toEqual([]);
    // The hour that was, and the minute since.
    expect(lengthOf(await written('datenbank'), 'gestört')).toBe(3_660);
  });
});
