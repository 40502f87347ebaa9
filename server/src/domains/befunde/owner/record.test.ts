import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RegelVon } from '#domains/regeln/index.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { registerAccount } from '#test/account.ts';
import { defaultsOf } from '#test/detectors/rules.ts';
import { ownerOf } from '#test/jobs.ts';
import { addAgent } from '#test/rollups.ts';
import { keepRules } from '#test/rules.ts';
import { startService, type TestService } from '#test/service.ts';
import { type Candidate, recordFindings, withdrawFindings } from '../index.ts';

let service: TestService;
let db: ReturnType<typeof ownerOf>;
let mandant: MandantId;

const NOW = new Date('2026-11-20T10:00:00Z');
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);

beforeAll(async () => {
  service = await startService();
  db = ownerOf(service);
});
afterAll(async () => {
  await db.close();
  await service.stop();
});
beforeEach(async () => {
  mandant = mandantId((await registerAccount(service)).mandantId);
});

const rule = (change: Partial<RegelVon> = {}): RegelVon =>
  ({
    regel_id: randomUUID(),
    name: 'Schleifen',
    typ: 'schleife_exakt',
    geltungsbereich: 'mandant',
    bezug: null,
    schwelle: '5',
    einheit: 'schritte',
    stufe: 'anhalten',
    zeitfenster: null,
    schattenbetrieb: false,
    parameter: defaultsOf(change.typ ?? 'schleife_exakt'),
    ...change,
  }) as RegelVon;

const loop = (regel: RegelVon, change: Partial<Candidate> = {}): Candidate => {
  const lauf = change.lauf ?? randomUUID();
  return {
    regel,
    objektArt: 'lauf',
    objekt: lauf,
    agent: 'support/triage',
    lauf,
    fensterBeginn: '2026-11-20T09:58:00.000000Z',
    werte: {
      schritte: [3, 4, 5, 6, 7],
      anzahl: 5,
      modelle: ['gpt-4o-mini'],
      bis: '2026-11-20T09:59:00Z',
      wiederholungen: 3,
    },
    kostenEur: '6.2',
    verbranntEur: '3.72',
    potentialEur: null,
    ...change,
  };
};

const record = async (candidates: Candidate[], now = NOW) => {
  await keepRules(service, mandant, candidates);
  return db.transaction((client) => recordFindings(client, mandant, candidates, now));
};
const rows = (table: string, columns: string) =>
  service.sql(`SELECT ${columns} FROM ${table} WHERE mandant_id = $1 ORDER BY 1, 2`, [mandant]);

describe('a finding', () => {
  test('is recorded with an incident, an intervention and an alarm', async () => {
    const candidate = loop(rule());
    expect(await record([candidate])).toEqual({ neu: 1, geaendert: 0, eingriffe: 1, alarme: 1 });
    expect(await rows('befunde', 'typ, objekt, agent, stufe, schatten, status, verbrannt_eur::text')).toEqual(
      [
        {
          typ: 'schleife_exakt',
          objekt: candidate.lauf,
          agent: 'support/triage',
          stufe: 'anhalten',
          schatten: false,
          status: 'offen',
          verbrannt_eur: '3.72',
        },
      ],
    );
    expect(await rows('vorfaelle', 'objekt_art, objekt, befunde::int, stufe')).toEqual([
      { objekt_art: 'agent', objekt: 'support/triage', befunde: 1, stufe: 'anhalten' },
    ]);
    expect(await rows('eingriffe', 'objekt_art, objekt, agent, stufe, schatten, grund_de')).toEqual([
      {
        objekt_art: 'lauf',
        objekt: candidate.lauf,
        agent: 'support/triage',
        stufe: 'anhalten',
        schatten: false,
        grund_de: `Lauf ${candidate.lauf?.slice(0, 8)} von support/triage wiederholt 5-mal hintereinander denselben Aufruf (Schritte 3 – 7): 6,20 € Kosten, 3,72 € davon verbrannt.`,
      },
    ]);
    expect(await rows('alarme', 'titel_de, titel_en')).toEqual([
      {
        titel_de: 'Schleife: support/triage – Halt angeordnet',
        titel_en: 'Loop: support/triage – stop ordered',
      },
    ]);
  });

  test('found again is changed, never added, and acted on once', async () => {
    const regel = rule();
    const candidate = loop(regel);
    await record([candidate]);
    expect(await record([candidate], minutes(1))).toEqual({ neu: 0, geaendert: 0, eingriffe: 0, alarme: 0 });
    const grown = { ...candidate, werte: { ...candidate.werte, anzahl: 9 }, verbranntEur: '7' };
    expect(await record([grown], minutes(2))).toEqual({ neu: 0, geaendert: 1, eingriffe: 0, alarme: 0 });
    expect(await rows('befunde', "werte->>'anzahl' AS anzahl, verbrannt_eur::text")).toEqual([
      { anzahl: '9', verbrannt_eur: '7' },
    ]);
    expect(await rows('eingriffe', 'stufe, objekt')).toHaveLength(1);
    expect(await rows('vorfaelle', 'befunde::int, letzter_befund_am')).toEqual([
      { befunde: 1, letzter_befund_am: '2026-11-20T10:02:00Z' },
    ]);
  });

  test('of a rule in shadow mode is noted with what would have been done, and no alarm', async () => {
    const regel = rule({ schattenbetrieb: true });
    const candidate = loop(regel);
    expect(await record([candidate])).toEqual({ neu: 1, geaendert: 0, eingriffe: 1, alarme: 0 });
    expect(await rows('eingriffe', 'schatten, stufe')).toEqual([{ schatten: true, stufe: 'anhalten' }]);
    // Armed while it goes on: now it is for real.
    const armed = { ...candidate, regel: { ...regel, schattenbetrieb: false } };
    expect(await record([armed], minutes(1))).toEqual({ neu: 0, geaendert: 1, eingriffe: 1, alarme: 1 });
    expect(await rows('befunde', 'schatten, stufe')).toEqual([{ schatten: false, stufe: 'anhalten' }]);
  });

  test.each(['warnen', 'drosseln', 'anhalten'])(
    'of the level sperren goes as far as the agent lets it: %s',
    async (cap) => {
      await addAgent(service, mandant, 'support/triage');
      await service.sql('UPDATE agenten SET eingriffsstufe = $2 WHERE mandant_id = $1', [mandant, cap]);
      await record([loop(rule({ stufe: 'sperren' }))]);
      expect(await rows('befunde', 'stufe, schatten')).toEqual([{ stufe: cap, schatten: false }]);
    },
  );

  test('blocks the agent of the run for its rest period', async () => {
    await addAgent(service, mandant, 'support/triage');
    await service.sql(`UPDATE agenten SET ruhezeit = '15m' WHERE mandant_id = $1`, [mandant]);
    await record([loop(rule({ stufe: 'sperren' }))]);
    expect(await rows('eingriffe', 'objekt_art, objekt, bis')).toEqual([
      { objekt_art: 'agent', objekt: 'support/triage', bis: '2026-11-20T10:15:00Z' },
    ]);
  });

  test('that goes further later is acted on again', async () => {
    const regel = rule({ stufe: 'warnen' });
    const candidate = loop(regel);
    await record([candidate]);
    const further = { ...candidate, regel: { ...regel, stufe: 'anhalten' as const } };
    expect(await record([further], minutes(1))).toMatchObject({ geaendert: 1, eingriffe: 1 });
  });

  test('about what is long over is noted only, until it goes on', async () => {
    const candidate = loop(rule());
    expect(await record([candidate], minutes(180))).toEqual({
      neu: 1,
      geaendert: 0,
      eingriffe: 0,
      alarme: 0,
    });
    expect(await rows('befunde', 'stufe, schatten')).toEqual([{ stufe: 'beobachten', schatten: false }]);
    const again = { ...candidate, werte: { ...candidate.werte, bis: '2026-11-20T13:01:00Z' } };
    expect(await record([again], minutes(182))).toMatchObject({ geaendert: 1, eingriffe: 1, alarme: 1 });
  });

  test('that a person has done with stays so while it grows', async () => {
    const candidate = loop(rule());
    await record([candidate]);
    await service.sql(`UPDATE befunde SET status = 'erledigt' WHERE mandant_id = $1`, [mandant]);
    await record([{ ...candidate, verbranntEur: '9' }], minutes(1));
    expect(await rows('befunde', 'status, verbrannt_eur::text')).toEqual([
      { status: 'erledigt', verbrannt_eur: '9' },
    ]);
  });

  test('about calls that should not have come needs no rule', async () => {
    await record([
      loop(rule(), {
        regel: null,
        objektArt: 'agent',
        objekt: 'a',
        agent: 'a',
        lauf: null,
        werte: { aufrufe: 3 },
      }),
    ]);
    expect(await rows('befunde', 'typ, stufe, regel_id')).toEqual([
      { typ: 'eingriff_missachtet', stufe: 'warnen', regel_id: null },
    ]);
  });
});

describe('the rest period', () => {
  test('makes findings of one agent one incident, and tells once; every run is stopped', async () => {
    const regel = rule();
    expect(await record([loop(regel)])).toMatchObject({ alarme: 1, eingriffe: 1 });
    // Runs that are stopped raise another alarm at twice as many.
    expect(await record([loop(regel)], minutes(10))).toMatchObject({ alarme: 1, eingriffe: 1 });
    expect(await record([loop(regel)], minutes(20))).toMatchObject({ alarme: 0, eingriffe: 1 });
    expect(await record([loop(regel)], minutes(30))).toMatchObject({ alarme: 1, eingriffe: 1 });
    // Another rule tells of its own.
    expect(await record([loop(rule())], minutes(40))).toMatchObject({ alarme: 1, eingriffe: 1 });
    expect(await rows('vorfaelle', 'befunde::int, objekt')).toEqual([
      { befunde: 5, objekt: 'support/triage' },
    ]);
    // Quiet for longer than an hour: a new one.
    expect(await record([loop(regel)], minutes(101))).toMatchObject({ alarme: 1 });
    expect(await rows('vorfaelle', 'befunde::int, objekt')).toHaveLength(2);
  });

  test('keeps quiet about no further part: each threshold of a budget raises an alarm', async () => {
    const regel = rule({ typ: 'budget_schwelle', stufe: 'warnen' });
    const werte = { schwelle_prozent: 80, budget_eur: '10' };
    const of = (teil: string) =>
      loop(regel, { objektArt: 'agent', objekt: 'a', agent: 'a', lauf: null, werte, teil });
    expect(await record([of('80')])).toMatchObject({ alarme: 1 });
    expect(await record([of('80'), of('100')], minutes(1))).toMatchObject({ alarme: 1, neu: 1 });
  });

  test('findings of different agents are different incidents, and closed ones stay closed', async () => {
    const regel = rule();
    await record([loop(regel), loop(regel, { agent: 'other' })]);
    expect(await rows('vorfaelle', 'objekt, befunde::int')).toHaveLength(2);
    await service.sql(`UPDATE vorfaelle SET status = 'geschlossen' WHERE mandant_id = $1`, [mandant]);
    await record([loop(regel)], minutes(1));
    expect(await rows('vorfaelle', 'objekt, befunde::int')).toHaveLength(3);
  });
});

test('several who find the same thing at once record it once', async () => {
  const candidate = loop(rule());
  const all = await Promise.all(Array.from({ length: 4 }, () => record([candidate])));
  expect(all.map(({ neu }) => neu).sort()).toEqual([0, 0, 0, 1]);
  expect(await rows('befunde', 'typ, stufe')).toHaveLength(1);
  expect(await rows('eingriffe', 'stufe, objekt')).toHaveLength(1);
  expect(await rows('alarme', 'art, titel_de')).toHaveLength(1);
});

test('what does not hold any more is taken back: interventions end, who was told hears of it', async () => {
  const candidate = loop(rule());
  await record([candidate]);
  const [row] = await rows('befunde', 'befund_id, stufe');
  await db.transaction((client) => withdrawFindings(client, mandant, [String(row?.befund_id)], minutes(1)));
  expect(await rows('befunde', 'status, stufe')).toEqual([{ status: 'hinfaellig', stufe: 'anhalten' }]);
  expect(await rows('eingriffe', 'aufgehoben_am, stufe')).toEqual([
    { aufgehoben_am: '2026-11-20T10:01:00Z', stufe: 'anhalten' },
  ]);
  expect(await rows('alarme', 'art, stufe')).toEqual([
    { art: 'alarm', stufe: 'anhalten' },
    { art: 'entwarnung', stufe: 'anhalten' },
  ]);
  // Every channel says of itself that it is over: the headline does not say it once more.
  const told = await rows('alarme', 'art, titel_de');
  expect(told[1]?.titel_de).toBe(`Lauf ${candidate.lauf?.slice(0, 8)} von support/triage`);
  // Found once more it is open again.
  await record([candidate], minutes(2));
  expect(await rows('befunde', 'status, stufe')).toEqual([{ status: 'offen', stufe: 'anhalten' }]);
  expect(await rows('eingriffe', 'beginn, aufgehoben_am')).toEqual([
    { beginn: '2026-11-20T10:00:00Z', aufgehoben_am: '2026-11-20T10:01:00Z' },
    { beginn: '2026-11-20T10:02:00Z', aufgehoben_am: null },
  ]);
});
