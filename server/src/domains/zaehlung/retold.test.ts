/** When the database is asked whether another way has told of a call; that it then counts once, `importe/telemetry` has. */
import { expect, test } from 'vitest';
import { herkunftOf, NO_LIBRARY, OTHERS } from './herkunft.ts';
import { findRetold, type RetoldCall } from './retold.ts';

const NOW = Date.now() / 1_000;
const CALL: RetoldCall = {
  id: crypto.randomUUID(),
  lauf: crypto.randomUUID(),
  anfrage: 'req_011CSHoEeqs5C35K',
  modell: 'claude-opus-4-8',
  token: '1 2 3 4',
  begin: NOW - 5,
  end: NOW,
  quelle: 'ingest',
};
const ASKED = new Error('asked');
const nameOf = (quelle: string, bibliothek = '') => herkunftOf(quelle, { ...NO_LIBRARY, bibliothek }).name;

const isAsked = (call: Partial<RetoldCall>, sources?: string[]): Promise<boolean> =>
  findRetold(() => Promise.reject(ASKED), crypto.randomUUID(), [{ ...CALL, ...call }], sources).then(
    () => false,
    (error) => error === ASKED,
  );

test('of a call that came directly nothing is asked where no telemetry has told of any', async () => {
  const direct = [nameOf('ingest'), nameOf('sdk', 'otlp')];
  expect(await isAsked({}, direct)).toBe(false);
  expect(await isAsked({}, [...direct, nameOf('otlp', 'claude-code')])).toBe(true);
});

test('it is asked where nobody knows: sources share a row, are many or not given, or the call is of long ago', async () => {
  const many = Array.from({ length: 64 }, (_, index) => nameOf('sdk', `library-${index}`));
  expect(await isAsked({}, [OTHERS.name])).toBe(true);
  expect(await isAsked({}, many)).toBe(true);
  expect(await isAsked({})).toBe(true);
  expect(await isAsked({ begin: NOW - 36 * 86_400 }, [])).toBe(true);
});

test('it is always asked of transcripts, which are of long ago, and of telemetry', async () => {
  expect(await isAsked({ quelle: 'import:claude-code' }, [])).toBe(true);
  expect(await isAsked({ quelle: 'otlp' }, [])).toBe(true);
});
