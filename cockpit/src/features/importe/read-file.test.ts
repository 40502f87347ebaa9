import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ApiError } from '../../api/error.ts';
import { readFile } from './read-file.ts';

const row = (index: number, more: object = {}) => ({
  request_id: `chatcmpl-BkzQ8x1TjM4cW7pN2rVf${String(index).padStart(5, '0')}`,
  call_type: 'acompletion',
  custom_llm_provider: 'openai',
  model: 'gpt-4o-mini',
  prompt_tokens: index,
  spend: 0.1,
  startTime: '2026-03-02 10:00:00',
  messages: 'geheim €',
  ...more,
});
const fileOf = (...rows: object[]) => rows.map((each) => JSON.stringify(each)).join('\n');

/** What was handed in of a file. */
async function read(text: string, refuse: (nr: number, tokens: number) => boolean = () => false) {
  const parts: number[][] = [];
  const found = await readFile(new Blob([text]), async (nr, events) => {
    const tokens = events.map(({ eingabe_token }) => eingabe_token ?? -1);
    const faults = tokens.flatMap((each, index) =>
      refuse(nr, each) ? [{ loc: ['body', 'ereignisse', index, 'zeitpunkt'], msg: '', type: '' }] : [],
    );
    if (faults.length > 0) throw new ApiError({ status: 422, code: 'http_422', detail: '', faults });
    expect(JSON.stringify(events)).not.toContain('geheim');
    parts[nr - 1] = tokens;
  });
  return { found, parts };
}

test('a file is handed in by parts, and named by what it is', async () => {
  const text = fileOf(...Array.from({ length: 1_001 }, (_, index) => row(index)));
  const { found, parts } = await read(text);
  expect(parts.map((part) => part.length)).toEqual([500, 500, 1]);
  expect(parts.flat()).toEqual(Array.from({ length: 1_001 }, (_, index) => index));
  expect(found).toEqual({
    dienst: 'LiteLLM',
    sha256: createHash('sha256').update(text).digest('hex'),
    zeilen: 1_001,
    ausgelassen: [],
    kosten_usd: '100.1',
  });
});

test('calls that the service does not take are left out and counted, the others are handed in', async () => {
  const text = fileOf(...Array.from({ length: 6 }, (_, index) => row(index)), row(9, { model: '' }));
  const { found, parts } = await read(text, (_, tokens) => tokens % 3 === 0);
  expect(parts).toEqual([[1, 2, 4, 5]]);
  expect(found.ausgelassen).toEqual([
    { grund: 'kein_modell', anzahl: 1 },
    { grund: 'abgelehnt', anzahl: 2 },
  ]);
});

test('a service that is busy or away for a moment is asked again', async () => {
  const answers = [429, 0, 503];
  const parts: number[] = [];
  await readFile(new Blob([fileOf(row(1))]), async (nr, events) => {
    const status = answers.shift();
    if (status !== undefined) throw new ApiError({ status, code: 'x', detail: '', retryAfter: 0 });
    parts[nr - 1] = events.length;
  });
  expect(parts).toEqual([1]);
});

test('what else goes wrong ends it', async () => {
  const broken = readFile(new Blob([fileOf(row(1))]), () =>
    Promise.reject(new ApiError({ status: 409, code: 'import_nicht_bereit', detail: '' })),
  );
  await expect(broken).rejects.toMatchObject({ status: 409 });
  await expect(read('{"a": 1}')).rejects.toThrow('of no service that is known');
});
