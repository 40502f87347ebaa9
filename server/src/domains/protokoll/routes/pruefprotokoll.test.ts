import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { recordChange, SYSTEM } from '../index.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-05-01T10:00:00.123Z');
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const read = (
  query: Record<string, string> = {},
  headers: Record<string, string> = { cookie: account.cookie },
) => service.app.inject({ url: '/v1/cockpit/pruefprotokoll', query, headers });

/** A Mandant whose log holds its registration and one entry at each of the instants, named by their number. */
async function accountWithEntries(...instants: string[]): Promise<Account> {
  const fresh = await registerAccount(service);
  const mandant = mandantId(fresh.mandantId);
  for (const [index, instant] of instants.entries())
    await service.context.db.forMandant(mandant, (tx) =>
      recordChange(tx, mandant, new Date(instant), {
        akteur: SYSTEM,
        aktion: 'versuch.gemacht',
        objekt: { art: 'versuch', name: String(index) },
      }),
    );
  return fresh;
}

const namesOf = (answer: Awaited<ReturnType<typeof read>>) =>
  answer.json().eintraege.map(({ objekt }: { objekt: { name: string } }) => objekt.name);

describe('GET /v1/cockpit/pruefprotokoll', () => {
  it('shows who changed what, when and from where, newest first', async () => {
    const { schluesselId, secret } = await createKey(service, account);
    const answer = await read();
    expect(answer.statusCode).toBe(200);
    const akteur = { art: 'benutzer', id: account.benutzerId, name: account.email };
    expect(answer.json()).toEqual({
      eintraege: [
        {
          eintrag_id: expect.any(String),
          zeitpunkt: '2026-05-01T10:00:00.123Z',
          akteur,
          aktion: 'schluessel.angelegt',
          objekt: { art: 'schluessel', id: schluesselId, name: 'standard' },
          vorher: null,
          nachher: { name: 'standard', bereiche: ['Senden', 'Lesen'], projekt: null },
          adresse: '127.0.0.1',
        },
        expect.objectContaining({ aktion: 'mandant.registriert', akteur }),
      ],
      aktionen: ['mandant.registriert', 'schluessel.angelegt'],
      weiter: null,
    });
    expect(answer.body).not.toContain(secret);
  });

  it('pages through all entries, each once', async () => {
    const { cookie } = await accountWithEntries(...Array<string>(4).fill('2026-05-01T10:00:00Z'));
    const seen: string[] = [];
    let nach: string | null = null;
    do {
      const answer = await read({ limit: '2', ...(nach === null ? {} : { nach }) }, { cookie });
      seen.push(...namesOf(answer));
      nach = answer.json().weiter;
    } while (nach !== null);
    expect(seen).toEqual(['3', '2', '1', '0', 'Muster GmbH']);
  });

  it('says that there is no further page when the last one is full', async () => {
    const { cookie } = await accountWithEntries('2026-05-01T10:00:00Z');
    expect((await read({ limit: '2' }, { cookie })).json().weiter).toBeNull();
  });

  it('shows one action, and still all there are to choose from', async () => {
    const { cookie } = await accountWithEntries('2026-05-01T10:00:00Z');
    const answer = await read({ aktion: 'versuch.gemacht' }, { cookie });
    expect(namesOf(answer)).toEqual(['0']);
    expect(answer.json().aktionen).toEqual(['mandant.registriert', 'versuch.gemacht']);
    expect(namesOf(await read({ aktion: 'nie.geschehen' }, { cookie }))).toEqual([]);
  });

  it('reads days as local days, both included, also where one lasts 23 hours', async () => {
    const { cookie } = await accountWithEntries(
      '2026-03-28T22:59:59.999Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:59:59.999Z',
      '2026-03-29T22:00:00Z',
    );
    const of = async (query: Record<string, string>) =>
      namesOf(await read({ ...query, aktion: 'versuch.gemacht' }, { cookie }));
    expect(await of({ von: '2026-03-29', bis: '2026-03-29' })).toEqual(['2', '1']);
    expect(await of({ von: '2026-03-29' })).toEqual(['3', '2', '1']);
    expect(await of({ bis: '2026-03-28' })).toEqual(['0']);
  });

  it('comes as CSV, named by the local day, up to the limit', async () => {
    service.clock.set('2026-05-31T22:30:00Z');
    const { cookie } = await accountWithEntries('2026-05-01T10:00:00Z', '2026-05-01T11:00:00Z');
    const answer = await read({ format: 'csv', limit: '2' }, { cookie });
    service.clock.set('2026-05-01T10:00:00.123Z');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe(
      'attachment; filename="pruefprotokoll-2026-06-01.csv"',
    );
    const [, first, second, rest] = answer.body.split('\r\n');
    expect(first).toMatch(/^2026-05-01 13:00:00;2026-05-01T11:00:00\.000Z;versuch\.gemacht;;system;;1;/);
    expect(second).toMatch(/^2026-05-01 12:00:00;/);
    expect(rest).toBe('');
    const next = answer.headers['x-zaehlwerk-weiter'] as string;
    const last = await read({ format: 'csv', nach: next }, { cookie });
    expect(last.body.split('\r\n')).toHaveLength(3);
    expect(last.body).toContain(';mandant.registriert;');
    expect(last.headers['x-zaehlwerk-weiter']).toBeUndefined();
  });

  it.each([
    [{ limit: '0' }, 'limit'],
    [{ limit: '1001' }, 'limit'],
    [{ limit: 'viele' }, 'limit'],
    [{ format: 'xml' }, 'format'],
    [{ von: 'gestern' }, 'von'],
    [{ von: '1969-12-31' }, 'von'],
    [{ bis: '9999-12-31' }, 'bis'],
    [{ von: '2026-05-02', bis: '2026-05-01' }, 'von'],
    [{ nach: 'abc' }, 'nach'],
    [{ aktion: 'x'.repeat(101) }, 'aktion'],
  ])('checks its parameters: %j', async (query, parameter) => {
    const answer = await read(query as unknown as Record<string, string>);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['query', parameter]);
  });

  it('shows nothing foreign, and pages past a foreign entry as past one that does not exist', async () => {
    const other = await accountWithEntries('2026-05-01T10:00:00Z');
    const [foreign] = (await read({}, { cookie: other.cookie })).json().eintraege;
    const own = (await read()).json().eintraege;
    expect(own).not.toContainEqual(foreign);
    for (const vor of [foreign.eintrag_id, uuidv7()])
      expect((await read({ vor })).json().eintraege).toEqual(own);
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => read({}, { cookie }));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    expect((await read({}, {})).statusCode).toBe(401);
  });
});

describe('entries', () => {
  const statement = {
    UPDATE: sql`UPDATE pruefprotokoll SET akteur_name = 'niemand'`,
    DELETE: sql`DELETE FROM pruefprotokoll`,
    TRUNCATE: sql`TRUNCATE pruefprotokoll`,
  };
  it.each(['UPDATE', 'DELETE', 'TRUNCATE'] as const)('a request may not %s', async (verb) => {
    const attempt = service.context.db.forMandant(mandantId(account.mandantId), (tx) =>
      statement[verb].execute(tx),
    );
    await expect(attempt).rejects.toMatchObject({ code: '42501' });
  });

  it('are rolled back with the change they tell of', async () => {
    const fresh = await registerAccount(service);
    const mandant = mandantId(fresh.mandantId);
    const attempt = service.context.db.forMandant(mandant, async (tx) => {
      await recordChange(tx, mandant, new Date(), {
        akteur: SYSTEM,
        aktion: 'nie.geschehen',
        objekt: { art: 'x' },
      });
      throw new Error('doch nicht');
    });
    await expect(attempt).rejects.toThrow('doch nicht');
    expect((await read({}, { cookie: fresh.cookie })).json().aktionen).toEqual(['mandant.registriert']);
  });
});
