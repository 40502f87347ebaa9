import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ownerOf } from '#test/jobs.ts';
import { createProtected } from '#test/protection.ts';
import { PATIENCE, startService, type TestService } from '#test/service.ts';
import { createArmed } from './armed.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

test('knows who has a rule that may stop somebody for real', async () => {
  const [armed, warning, shadow] = [
    await createProtected(service, owner),
    await createProtected(service, owner),
    await createProtected(service, owner),
  ];
  await warning.addRule('schleife_exakt', { stufe: 'warnen' });
  await shadow.addRule('schleife_exakt', { stufe: 'sperren', schattenbetrieb: true });
  const known = createArmed({ db: owner, log: service.context.log });
  try {
    await armed.addRule('schleife_exakt', { stufe: 'anhalten' });
    await vi.waitFor(() => expect(known.has(armed.mandant)).toBe(true), PATIENCE);
    expect([known.has(warning.mandant), known.has(shadow.mandant)]).toEqual([false, false]);
    await service.sql('UPDATE regeln SET aktiv = false WHERE mandant_id = $1', [armed.mandant]);
    await vi.waitFor(() => expect(known.has(armed.mandant)).toBe(false), PATIENCE);
  } finally {
    await known.stop();
  }
});
