import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const register = (email: string) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/registrieren',
    payload: { firma: 'Muster GmbH', email, passwort: `${randomUUID()} Kranich` },
  });
const waiting = () => service.sql(`SELECT mandant_id FROM auftraege WHERE job = 'mandant.angelegt'`);

test('registration puts it in, for the new Mandant, and a refused one does not', async () => {
  const email = `${randomUUID()}@example.org`;
  const answer = await register(email);
  expect(answer.statusCode, answer.body).toBe(201);
  const expected = [{ mandant_id: answer.json().mandant.mandant_id }];
  expect(await waiting()).toEqual(expected);
  expect((await register(email)).statusCode).toBe(409);
  expect(await waiting()).toEqual(expected);
});
