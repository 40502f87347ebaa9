import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { alteEinladungenEntfernenJob } from './alte-einladungen-entfernen.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('removal of ended invitations', () => {
  it('takes those of all Mandanten that ended more than a week ago', async () => {
    for (const firma of ['Eins GmbH', 'Zwei GmbH']) {
      const { mandantId } = await registerAccount(service, firma);
      await service.sql(
        `INSERT INTO einladungen
         SELECT $1, gen_random_uuid(), sha256(($2 || name)::bytea), name || '@example.org', 'betrachter', NULL, now(),
           now() + abstand::interval
         FROM (VALUES ('offen', '1 hour'), ('beendet', '-6 days'), ('alt', '-8 days')) AS n(name, abstand)`,
        [mandantId, firma],
      );
    }
    const pool = createPool(
      { connection: service.connection, max: 1, statementTimeout: 5_000, name: 'test' },
      service.context.log,
    );
    const { run } = alteEinladungenEntfernenJob({ owner: createOwnerDatabase(pool) });
    expect(await run()).toEqual({ entfernt: 2 });
    expect(await run()).toEqual({ entfernt: 0 });
    await pool.end();
    const left = await service.sql('SELECT DISTINCT email FROM einladungen ORDER BY email');
    expect(left).toEqual([{ email: 'beendet@example.org' }, { email: 'offen@example.org' }]);
  });
});
