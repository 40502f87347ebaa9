/** The recorded answers of the reference, replayed over HTTP; where the recording is at hand. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import type { Fault } from './check/index.ts';

interface Recorded {
  name: string;
  method: 'POST' | 'PUT';
  path: string;
  headers: Record<string, string> | null;
  body: unknown;
  status: number;
  detail: Fault[] | string | null;
}

const directory = process.env.ZW_REFERENCE_DATA ?? join(import.meta.dirname, '../../../../shared/data');
const file = join(directory, 'golden-422.jsonl');
const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
const recorded = lines.map((line) => JSON.parse(line) as Recorded);

/** What the service refuses by bounds of its own (counts, text, e-mail, amounts), with the type it gives. */
const OWN_BOUNDS: Record<string, string> = {
  int_neg: 'greater_than_equal',
  int_huge: 'less_than_equal',
  int_2e53p1: 'less_than_equal',
  int_i64over: 'less_than_equal',
  json_surrogate: 'string_unicode',
  json_nul: 'string_unicode',
  dec_neg: 'greater_than_equal',
  dec_hugeexp: 'less_than_equal',
  reg_combining: 'value_error',
  alarm_item_int: 'value_error',
};

/** Two bodies could not be recorded as the bytes they were. */
function bytesOf({ name, body }: Recorded): Buffer {
  if (name === 'json_badutf8') return Buffer.from('{"a":"\xff"}', 'latin1');
  if (name === 'json_deep') return Buffer.from('['.repeat(100_000));
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The reference echoes passwords; `input` is optional and left out here. */
const withoutSecretInput = (faults: Fault[]) =>
  faults.map(({ input, ...fault }) =>
    fault.loc.at(-1) === 'passwort' && fault.type !== 'missing' ? fault : { ...fault, input },
  );

const FAULT_KEYS = ['type', 'loc', 'msg', 'input', 'ctx'];

/** Faults have no other fields than those of the reference, in its order. */
function expectFaults(detail: unknown): void {
  for (const fault of Array.isArray(detail) ? detail : [])
    expect(FAULT_KEYS.filter((key) => key in fault)).toEqual(Object.keys(fault));
}

describe.skipIf(recorded.length === 0)(
  `recorded answers${recorded.length === 0 ? ` (no ${file})` : ''}`,
  () => {
    let service: TestService;
    let headers: Record<string, string>;
    /** What stands for the parameters of a path. */
    let agent: string;

    beforeAll(async () => {
      service = await startService();
      const account = await registerAccount(service);
      const { secret } = await createKey(service, account);
      headers = { authorization: `Bearer ${secret}`, cookie: account.cookie };
      const [row] = await service.sql<{ agent_id: string }>(
        `INSERT INTO agenten (mandant_id, schluessel, name, projekt) VALUES ($1, 'a', 'a', 'p') RETURNING agent_id`,
        [account.mandantId],
      );
      agent = row?.agent_id ?? '';
    });
    afterAll(() => service?.stop());

    it.each(recorded)('$name', async (request) => {
      const { method, path, name, status } = request;
      const type = request.headers?.['content-type'] ?? 'application/json';
      const answer = await service.app.inject({
        method,
        url: path.replace('{agent_id}', agent),
        headers: { ...headers, ...(type === '' ? {} : { 'content-type': type }) },
        payload: bytesOf(request),
      });
      const { detail } = answer.json();
      expectFaults(detail);
      const faults = Array.isArray(request.detail) ? withoutSecretInput(request.detail) : [];
      if (OWN_BOUNDS[name]) {
        expect(answer.statusCode).toBe(422);
        expect(detail).toEqual(
          expect.arrayContaining([expect.objectContaining({ type: OWN_BOUNDS[name] }), ...faults]),
        );
        return;
      }
      // The reference's stand-in answers every success with 200 or 202.
      if (status < 300) expect(Math.floor(answer.statusCode / 100)).toBe(2);
      else expect([answer.statusCode, detail]).toEqual([status, status === 422 ? faults : request.detail]);
    });

    it('include every exception listed', () => {
      expect(recorded.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(OWN_BOUNDS)));
    });
  },
);
