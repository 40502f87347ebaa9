import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { applyImport, ask, askAs, pastCalls, readFile } from '#test/imports.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { forgetCalls, removeUnconfirmed } from '../owner/remove-old.ts';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

test('what was not confirmed goes; of what was its receipt stays, and it cannot be taken back any more', async () => {
  const account = await registerAccount(service);
  const { schluesselId } = await createKey(service, account);
  service.clock.set('2026-07-01T10:00:00.000Z');
  const counted = await readFile(service, account, schluesselId, { calls: pastCalls(3) });
  await applyImport(service, owner, account, counted.import_id);
  service.clock.set('2026-07-02T10:00:00.000Z');
  const left = await readFile(service, account, schluesselId, { calls: pastCalls(3) });
  const { mandantId } = account;
  expect(await removeUnconfirmed(owner, mandantId, new Date('2026-07-02T09:00:00Z'))).toBe(0);
  await forgetCalls(owner, mandantId, new Date('2026-07-01T09:00:00Z'));
  expect(await ask(service, account, 'GET', `/${counted.import_id}`)).toMatchObject({ zuruecknehmbar: 3 });
  expect(await removeUnconfirmed(owner, mandantId, new Date('2026-07-02T11:00:00Z'))).toBe(1);
  await forgetCalls(owner, mandantId, new Date('2026-07-02T11:00:00Z'));
  expect((await askAs(service, account, 'GET', `/${left.import_id}`)).statusCode).toBe(404);
  expect(await service.sql('SELECT FROM import_teile WHERE mandant_id = $1', [mandantId])).toEqual([]);
  expect(await ask(service, account, 'GET', `/${counted.import_id}`)).toMatchObject({
    status: 'fertig',
    angenommen: 3,
    zuruecknehmbar: 0,
  });
  const undone = await askAs(service, account, 'POST', `/${counted.import_id}/zuruecknehmen`);
  expect([undone.statusCode, undone.json().code]).toEqual([409, 'import_nicht_bereit']);
});
