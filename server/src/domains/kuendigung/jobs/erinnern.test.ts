import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { erinnernJob } from './erinnern.ts';

let service: TestService;
let db: OwnerDatabase;
let account: Account;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 2, statementTimeout: 30_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, service.context.log));
  await service.sql(
    `UPDATE uhrstand SET vergangen_bis = date_trunc('milliseconds', now()) - interval '1 hour'`,
  );
});
afterAll(async () => {
  await db.close();
  await service.stop();
});
beforeEach(async () => {
  await service.sql(`DELETE FROM postausgang`);
  await service.sql(`UPDATE mandanten SET status = 'aktiv', gekuendigt_am = NULL`);
  account = await registerAccount(service, 'Muster GmbH');
});

const run = () => erinnernJob({ ...service.context, owner: db }).run();
/** So long before the time that has certainly passed, which stands still: an edge is met to the millisecond. */
const cancelledAgo = (interval: string) =>
  service.sql(
    `UPDATE mandanten SET status = 'gekündigt', gekuendigt_am = vergangen_bis - $2::interval
     FROM uhrstand WHERE mandant_id = $1`,
    [account.mandantId, interval],
  );

describe('kuendigung.erinnern', () => {
  it('tells those who run the account when everything will be removed, once', async () => {
    await addUser(service, account, 'betrachter');
    await cancelledAgo('23 days');
    expect(await run()).toEqual({ erinnert: 1 });
    expect(await run()).toEqual({ erinnert: 0 });
    const mails = await service.mails();
    expect(mails.map(({ an, betreff }) => ({ an, betreff }))).toEqual([
      { an: account.email, betreff: 'Ihre Daten bei Zählwerk werden bald gelöscht' },
    ]);
    const [row] = await service.sql<{ am: string }>(
      'SELECT gekuendigt_am AS am FROM mandanten WHERE mandant_id = $1',
      [account.mandantId],
    );
    const end = new Date(Date.parse(row?.am ?? '') + 30 * 86_400_000);
    const day = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'Europe/Berlin' }).format(
      end,
    );
    expect(mails[0]?.text).toContain(`Am ${day}`);
    const entries = await service.sql(
      `SELECT akteur_art, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'konto.loeschung_angekuendigt'`,
      [account.mandantId],
    );
    expect(entries).toEqual([{ akteur_art: 'system', nachher: { loeschung_ab: end.toISOString() } }]);
  });

  it('tells once, however many run at once', async () => {
    await cancelledAgo('24 days');
    const runs = await Promise.all([run(), run(), run()]);
    expect(runs.map(({ erinnert }) => erinnert).sort()).toEqual([0, 0, 1]);
    expect(await service.mails()).toHaveLength(1);
  });

  it.each(['23 days', '29 days 23:59:59.999'])('tells those that left %s ago', async (interval) => {
    await cancelledAgo(interval);
    expect(await run()).toEqual({ erinnert: 1 });
  });

  it.each(['1 second', '22 days 23:59:59.999', '30 days'])(
    'leaves those alone that left %s ago',
    async (interval) => {
      await cancelledAgo(interval);
      expect(await run()).toEqual({ erinnert: 0 });
    },
  );

  it('leaves those alone that stay', async () => {
    expect(await run()).toEqual({ erinnert: 0 });
  });
});
