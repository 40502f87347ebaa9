import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RegelVon } from '#domains/regeln/index.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { registerAccount } from '#test/account.ts';
import { defaultsOf } from '#test/detectors/rules.ts';
import { ownerOf } from '#test/jobs.ts';
import { keepRules } from '#test/rules.ts';
import { startService, type TestService } from '#test/service.ts';
import { type Candidate, recordFindings, withdrawFindings } from '../index.ts';

let service: TestService;
let db: ReturnType<typeof ownerOf>;
let mandant: MandantId;

const NOW = new Date('2026-11-20T10:00:00Z');

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

const record = async (candidates: Candidate[]) => {
  await keepRules(service, mandant, candidates);
  return db.transaction((client) => recordFindings(client, mandant, candidates, NOW));
};

describe('the stretch of a run that calls coming late move', () => {
  const from = (regel: RegelVon, lauf: string, begin: string, bis: string) =>
    ({
      regel,
      objektArt: 'lauf',
      objekt: lauf,
      agent: 'support/triage',
      lauf,
      fensterBeginn: `2026-11-20T${begin}:00Z`,
      werte: { schritte: [3, 4], anzahl: 2, modelle: [], bis: `2026-11-20T${bis}:00Z`, wiederholungen: 0 },
      kostenEur: '6.2',
      verbranntEur: null,
      potentialEur: null,
    }) satisfies Candidate;
  const found = async () =>
    (
      await service.sql<{ von: string }>(
        `SELECT to_char(fenster_beginn AT TIME ZONE 'UTC', 'HH24:MI') || ' ' || status AS von FROM befunde WHERE mandant_id = $1 ORDER BY 1`,
        [mandant],
      )
    ).map(({ von }) => von);

  test('is the same finding, however often; another stretch, and that of another rule, are findings of their own', async () => {
    const regel = rule();
    const lauf = randomUUID();
    await record([from(regel, lauf, '09:50', '09:52')]);
    const moved = from(regel, lauf, '09:48', '09:52');
    expect(await record([moved])).toEqual({ neu: 0, geaendert: 1, eingriffe: 0, alarme: 0 });
    expect(await record([moved])).toEqual({ neu: 0, geaendert: 0, eingriffe: 0, alarme: 0 });
    const later = from(regel, lauf, '09:55', '09:58');
    expect(await record([moved, later])).toMatchObject({ neu: 1, geaendert: 0 });
    expect(await record([from(rule(), lauf, '09:47', '09:58')])).toMatchObject({ neu: 1 });
    expect(await found()).toEqual(['09:47 offen', '09:48 offen', '09:55 offen']);
  });

  test('that falls into two is two findings, and one that was withdrawn stays so', async () => {
    const regel = rule();
    const lauf = randomUUID();
    await record([from(regel, lauf, '09:50', '09:58')]);
    const parts = [from(regel, lauf, '09:48', '09:49'), from(regel, lauf, '09:50', '09:58')];
    expect(await record(parts)).toMatchObject({ neu: 1, geaendert: 0 });
    const rows = await service.sql<{ befund_id: string }>(
      'SELECT befund_id FROM befunde WHERE mandant_id = $1',
      [mandant],
    );
    await db.transaction((client) =>
      withdrawFindings(
        client,
        mandant,
        rows.map(({ befund_id }) => befund_id),
        NOW,
      ),
    );
    expect(await record([from(regel, lauf, '09:47', '09:58')])).toMatchObject({ neu: 1 });
    expect(await found()).toEqual(['09:47 offen', '09:48 hinfaellig', '09:50 hinfaellig']);
  });
});
