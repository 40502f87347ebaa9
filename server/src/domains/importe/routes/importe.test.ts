import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_IMPORT_TEIL } from '#contracts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { applyImport, ask, askAs, pastCalls, readFile, SHA256, undoImport } from '#test/imports.ts';
import { ownerOf } from '#test/jobs.ts';
import { admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let account: Account;
let key: string;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});
beforeEach(async () => {
  account = await registerAccount(service);
  key = (await createKey(service, account)).schluesselId;
});

const begin = (user: Account | null = account, schluessel_id = key) =>
  askAs(service, user, 'POST', '', { datei: 'spend.csv', groesse: 9_000, schluessel_id });
const send = (id: string, nr: number, ereignisse: object[], user: Account | null = account) =>
  askAs(service, user, 'PUT', `/${id}/teile/${nr}`, { ereignisse });
const FILE = { dienst: 'LiteLLM', sha256: SHA256, zeilen: 3, ausgelassen: [] };
const refusal = (answer: { statusCode: number; json(): { code: string } }) => [
  answer.statusCode,
  answer.json().code,
];

describe('reading a file', () => {
  it('tells what is in it, and counts nothing', async () => {
    service.clock.set('2026-07-01T21:30:00.000Z');
    const calls = [...pastCalls(3), ...pastCalls(1, { modell: null }, '2026-05-31T22:30:00Z')];
    const read = await readFile(service, account, key, {
      calls,
      part: 3,
      read: { ausgelassen: [{ grund: 'kein_aufruf', anzahl: 2 }], zeilen: 6 },
    });
    expect(read).toEqual({
      import_id: expect.any(String),
      status: 'bereit',
      datei: 'spend.csv',
      groesse: 9_000,
      sha256: SHA256,
      dienst: 'LiteLLM',
      schluessel_id: key,
      zeilen: 6,
      ausgelassen: [{ grund: 'kein_aufruf', anzahl: 2 }],
      kosten_usd: '1.25',
      aufrufe: 4,
      bekannt: 0,
      bekannt_telemetrie: 0,
      von: '2026-05-31T22:30:00.000Z',
      bis: '2026-06-30T10:00:02.000Z',
      modelle: [
        { modell: 'gpt-4o-mini', aufrufe: 3 },
        { modell: null, aufrufe: 1 },
      ],
      monate: [{ monat: '2026-06', aufrufe: 4, geschlossen: false }],
      gezaehlt: 0,
      angenommen: 0,
      schon_da: 0,
      schon_da_telemetrie: 0,
      abgewiesen: 0,
      zurueckgenommen: 0,
      geblieben: null,
      angelegt_am: '2026-07-01T21:30:00.000Z',
      angelegt_von: account.email,
      angewendet_am: null,
      angewendet_von: null,
      beendet_am: null,
      zurueckgenommen_am: null,
      zurueckgenommen_von: null,
    });
    expect(await service.sql('SELECT FROM eingang WHERE mandant_id = $1', [account.mandantId])).toEqual([]);
  });

  it('takes a part once, however often it is sent', async () => {
    const { import_id } = (await begin()).json();
    const calls = pastCalls(3);
    for (let times = 0; times < 2; times += 1)
      expect((await send(import_id, 1, [...calls, ...calls])).json()).toEqual({ aufrufe: 3, bekannt: 0 });
    expect((await send(import_id, 2, [])).json()).toEqual({ aufrufe: 0, bekannt: 0 });
    const read = await ask(service, account, 'POST', `/${import_id}/abschliessen`, FILE);
    expect([read.aufrufe, read.kosten_usd]).toEqual([3, null]);
  });

  it('refuses what the service takes no call of, naming each', async () => {
    const { import_id } = (await begin()).json();
    const [good] = pastCalls(1);
    const faulty = [good, { ...good, zeitpunkt: '2999-01-01T00:00:00Z' }, { ...good, eingabe_token: -1 }];
    const answer = await send(import_id, 1, faulty as object[]);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail.map(({ loc }: { loc: unknown[] }) => loc.slice(0, 3))).toContainEqual([
      'body',
      'ereignisse',
      2,
    ]);
    const many = await send(import_id, 1, pastCalls(MAX_IMPORT_TEIL + 1));
    expect([many.statusCode, many.json().detail[0].loc]).toEqual([422, ['body', 'ereignisse']]);
    await service.sql(`UPDATE aufbewahrung SET annahme_ab = '2026-07-01T00:00:00Z'`);
    try {
      expect((await send(import_id, 1, pastCalls(1))).statusCode).toBe(422);
    } finally {
      await service.sql('UPDATE aufbewahrung SET annahme_ab = NULL');
    }
    for (const wrong of [{ sha256: 'x' }, { dienst: 'Excel' }, { ausgelassen: [{ grund: 'x', anzahl: 1 }] }])
      expect(
        (await askAs(service, account, 'POST', `/${import_id}/abschliessen`, { ...FILE, ...wrong }))
          .statusCode,
      ).toBe(422);
    expect((await begin(account, randomUUID())).statusCode).toBe(422);
    const other = await registerAccount(service);
    expect((await begin(other)).statusCode).toBe(422);
  });
});

describe('confirming, discarding, taking back', () => {
  it('gives a receipt, and leaves it in the audit log', async () => {
    const calls = pastCalls(5);
    const { import_id } = await readFile(service, account, key, { calls, part: 2 });
    const receipt = await applyImport(service, owner, account, import_id);
    expect(receipt).toMatchObject({
      status: 'fertig',
      gezaehlt: 5,
      angenommen: 5,
      schon_da: 0,
      abgewiesen: 0,
      zuruecknehmbar: 5,
      beendet_am: expect.any(String),
    });
    expect(await undoImport(service, owner, account, import_id)).toMatchObject({
      status: 'zurueckgenommen',
      zurueckgenommen: 5,
      geblieben: 0,
      zuruecknehmbar: 0,
    });
    const log = await service.sql<{ aktion: string; nachher: unknown }>(
      `SELECT aktion, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion LIKE 'import.%' ORDER BY zeitpunkt, eintrag_id`,
      [account.mandantId],
    );
    expect(log.map(({ aktion }) => aktion).sort()).toEqual([
      'import.angelegt',
      'import.begonnen',
      'import.fertig',
      'import.gelesen',
      'import.ruecknahme_begonnen',
      'import.zurueckgenommen',
    ]);
    expect(log.find(({ aktion }) => aktion === 'import.fertig')?.nachher).toEqual({
      sha256: SHA256,
      angenommen: 5,
      schon_da: 0,
      abgewiesen: 0,
    });
  });

  it('goes from one point to the next only', async () => {
    const { import_id } = (await begin()).json();
    const step = (name: string) => askAs(service, account, 'POST', `/${import_id}/${name}`);
    for (const name of ['anwenden', 'zuruecknehmen'])
      expect(refusal(await step(name)), name).toEqual([409, 'import_nicht_bereit']);
    await ask(service, account, 'POST', `/${import_id}/abschliessen`, FILE);
    // It holds no call.
    expect(refusal(await step('anwenden'))).toEqual([409, 'import_nicht_bereit']);
    expect(refusal(await send(import_id, 1, pastCalls(1)))).toEqual([409, 'import_nicht_bereit']);
    const second = await readFile(service, account, key, { calls: pastCalls(1) });
    expect((await askAs(service, account, 'GET', `/${import_id}`)).statusCode).toBe(404);
    await ask(service, account, 'POST', `/${second.import_id}/anwenden`);
    expect(refusal(await begin())).toEqual([409, 'import_laeuft']);
    expect(refusal(await askAs(service, account, 'DELETE', `/${second.import_id}`))).toEqual([
      409,
      'import_nicht_bereit',
    ]);
  });

  it('is discarded with all that was read', async () => {
    const { import_id } = await readFile(service, account, key, { calls: pastCalls(2) });
    expect((await askAs(service, account, 'DELETE', `/${import_id}`)).json().status).toBe('bereit');
    expect((await ask(service, account, 'GET', '')).importe).toEqual([]);
    expect(await service.sql('SELECT FROM import_teile WHERE import_id = $1', [import_id])).toEqual([]);
  });
});

describe('who may', () => {
  it('is for those who administer; others read', async () => {
    expect(await statusByRole(service, account, (user) => begin(user, randomUUID()))).toEqual(
      admitting(['inhaber', 'verwalter'], 422),
    );
    expect((await begin(null)).statusCode).toBe(401);
    expect((await askAs(service, null, 'GET', '')).statusCode).toBe(401);
  });

  it('finds nothing of another Mandant, or what nobody has', async () => {
    const { import_id } = await readFile(service, account, key, { calls: pastCalls(1) });
    const other = await registerAccount(service);
    for (const id of [import_id, randomUUID()]) {
      expect((await askAs(service, other, 'GET', `/${id}`)).statusCode).toBe(404);
      expect((await askAs(service, other, 'DELETE', `/${id}`)).statusCode).toBe(404);
      expect((await send(id, 1, pastCalls(1), other)).statusCode).toBe(404);
      for (const name of ['anwenden', 'zuruecknehmen'])
        expect((await askAs(service, other, 'POST', `/${id}/${name}`)).statusCode).toBe(404);
      expect((await askAs(service, other, 'POST', `/${id}/abschliessen`, FILE)).statusCode).toBe(404);
    }
    expect((await ask(service, other, 'GET', '')).importe).toEqual([]);
  });

  it('lists them page by page, the latest first', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { import_id } = await readFile(service, account, key, { calls: pastCalls(1) });
      await applyImport(service, owner, account, import_id);
      ids.unshift(import_id);
    }
    const first = await ask(service, account, 'GET', '?limit=2');
    const rest = await ask(service, account, 'GET', `?limit=2&nach=${first.weiter}`);
    const found = [...first.importe, ...rest.importe].map((each: { import_id: string }) => each.import_id);
    expect([found, rest.weiter]).toEqual([ids, null]);
  });
});
