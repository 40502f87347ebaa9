/** Which requests the log has a line of. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '#platform/log.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';

let lines: Record<string, unknown>[] = [];
const log = createLog('debug', { write: (line) => lines.push(JSON.parse(line)) });

let service: TestService;
let account: Account;
let key: string;
beforeAll(async () => {
  service = await startService({}, log);
  account = await registerAccount(service);
  key = (await createKey(service, account)).secret;
});
afterAll(() => service?.stop());
beforeEach(() => {
  lines = [];
});

/** The line of a request, which is written once its answer has gone out. */
const line = () =>
  vi.waitFor(() => {
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests).toHaveLength(1);
    return requests[0];
  });

it.each([
  ['calls that are taken', 202, 'debug', () => ({ ereignisse: [{ agent: 'a' }] })],
  ['calls that are refused', 422, 'info', () => ({ ereignisse: 7 })],
] as const)('has one of %s at level %3$s', async (_what, status, level, body) => {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key}` },
    payload: body(),
  });
  expect(answer.statusCode).toBe(status);
  expect(await line()).toMatchObject({ level, operation: 'ereignisse.annehmen', status });
});

it('has one at level info of what a person asks for', async () => {
  const answer = await service.app.inject({ url: '/v1/ich', headers: { cookie: account.cookie } });
  expect(answer.statusCode).toBe(200);
  expect(await line()).toMatchObject({ level: 'info', status: 200 });
});

it('names the Mandant, and not what was asked', async () => {
  const headers = { authorization: `Bearer ${key}` };
  await service.app.inject({ url: '/v1/laeufe?endkunde=geheim', headers });
  const found = await line();
  expect(found).toMatchObject({ level: 'info', path: '/v1/laeufe', mandant: account.mandantId });
  expect(JSON.stringify(found)).not.toContain('geheim');
});
