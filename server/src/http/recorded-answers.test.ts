/** The recorded answers of the reference, replayed over HTTP for the operations that exist; where the recording is at hand. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, registerAccount } from '#test/account.ts';
import { declared } from '#test/operations.ts';
import { startService, type TestService } from '#test/service.ts';

interface Recorded {
  name: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Record<string, string> | null;
  body: unknown;
  status: number;
  detail: unknown;
}

const directory = process.env.ZW_REFERENCE_DATA ?? join(import.meta.dirname, '../../../../shared/data');
const file = join(directory, 'golden-422.jsonl');
const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
const recorded = lines.map((line) => JSON.parse(line) as Recorded);

/** Accepted by the reference, refused by bounds of our own (design: counts, text, e-mail). */
const REFUSED_HERE = [
  'int_neg',
  'int_huge',
  'int_2e53p1',
  'int_i64over',
  'json_surrogate',
  'json_nul',
  'reg_combining',
  // Beside the number, an address that is none.
  'alarm_item_int',
];

/** Two bodies could not be recorded as the bytes they were. */
function bytesOf({ name, body }: Recorded): Buffer {
  if (name === 'json_badutf8') return Buffer.from('{"a":"\xff"}', 'latin1');
  if (name === 'json_deep') return Buffer.from('['.repeat(100_000));
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The reference echoes passwords; `input` is optional and left out here. */
const withoutSecretInput = (detail: unknown) =>
  Array.isArray(detail)
    ? detail.map(({ input, ...fault }) =>
        fault.loc.at(-1) === 'passwort' && fault.type !== 'missing' ? fault : { ...fault, input },
      )
    : detail;

describe.skipIf(recorded.length === 0)(
  `recorded answers${recorded.length === 0 ? ` (no ${file})` : ''}`,
  () => {
    let service: TestService;
    let secret: string;
    let cookie: string;

    beforeAll(async () => {
      service = await startService();
      const account = await registerAccount(service);
      cookie = account.cookie;
      secret = (await createKey(service, account)).secret;
    });
    afterAll(() => service?.stop());

    const known = recorded.filter(({ method, path }) =>
      declared.some((operation) => operation.method === method && operation.path === path),
    );
    it.each(known)('$name', async (request) => {
      const type = request.headers?.['content-type'] ?? 'application/json';
      const headers: Record<string, string> = { authorization: `Bearer ${secret}`, cookie };
      if (type !== '') headers['content-type'] = type;
      const options: InjectOptions = {
        method: request.method,
        url: request.path,
        headers,
        payload: bytesOf(request),
      };
      const answer = await service.app.inject(options);
      if (REFUSED_HERE.includes(request.name)) {
        expect(answer.statusCode).toBe(422);
        return;
      }
      // The reference's stand-in registers with 200, the contract says 201.
      expect(Math.floor(answer.statusCode / 100)).toBe(Math.floor(request.status / 100));
      if (request.status < 300) return;
      expect(answer.statusCode).toBe(request.status);
      expect(answer.json().detail).toEqual(withoutSecretInput(request.detail));
    });
  },
);
