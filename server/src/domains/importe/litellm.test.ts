/** The rows that LiteLLM's proxy makes for its table, imported: to the token and the cent what LiteLLM says of them, once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExportReader } from '#client/importers/index.ts';
import { createKey, registerAccount } from '#test/account.ts';
import type { SentCall } from '#test/counted-anew.ts';
import { applyImport, readFile } from '#test/imports.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';

const FILE = join(
  import.meta.dirname,
  '../../../../clients/typescript/src/importers/testdata/litellm-spend-logs-1.110.2.jsonl',
);

interface SpendLog {
  spend: number;
  prompt_tokens: number;
  completion_tokens: number;
  status: string;
  cache_hit: string;
}

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-11-28T12:00:00.000Z');
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

test('each call costs what LiteLLM says, has its tokens, and is known when it comes again', async () => {
  const account = await registerAccount(service);
  const key = await createKey(service, account);
  const file = readFileSync(FILE, 'utf8');
  const reader = new ExportReader();
  const calls = [...reader.add(file), ...reader.end()] as SentCall[];
  const { import_id } = await readFile(service, account, key.schluesselId, { calls });
  expect(await applyImport(service, owner, account, import_id)).toMatchObject({ angenommen: 10 });
  const counted = await service.sql<{ input: number; output: number; usd: string }>(
    `SELECT (eingabe_ohne_cache + coalesce(cache_lese_token, 0) + coalesce(cache_schreib_token, 0))::int AS input, ausgabe_gesamt::int AS output, kosten_usd::float8::text AS usd
     FROM ereignisse WHERE mandant_id = $1 AND status = 'erfolgreich' ORDER BY zeitpunkt`,
    [account.mandantId],
  );
  const rows = file
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SpendLog)
    .filter(({ status, cache_hit }) => status === 'success' && cache_hit !== 'True');
  // A float of LiteLLM's has more digits than money has.
  const said = rows.map((row) => [row.prompt_tokens, row.completion_tokens, row.spend.toPrecision(12)]);
  expect(counted.map(({ input, output, usd }) => [input, output, Number(usd).toPrecision(12)])).toEqual(said);
  const again = await readFile(service, account, key.schluesselId, { calls });
  expect(again).toMatchObject({ aufrufe: 10, bekannt: 10 });
});
