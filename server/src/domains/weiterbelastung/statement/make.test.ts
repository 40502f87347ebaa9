/** A statement made beside everything else. */
import { afterAll, expect, test } from 'vitest';
import { createDocuments } from '#platform/documents.ts';
import { openPdf } from '#test/read-pdf.ts';
import { longStatement, sampleStatement } from '#test/sample-statement.ts';
import { makeStatement } from './make.ts';
import { statementPdf } from './statement.ts';

const documents = createDocuments();
afterAll(() => documents.stop());

test('is the same as made here', async () => {
  const bytes = await makeStatement(documents, sampleStatement());
  expect(Buffer.compare(bytes, await statementPdf(sampleStatement()))).toBe(0);
});

test('of dozens of pages is made in time, and holds nobody up', async () => {
  let turns = 0;
  const clock = setInterval(() => {
    turns += 1;
  }, 1);
  const bytes = await makeStatement(documents, longStatement()).finally(() => clearInterval(clock));
  expect((await openPdf(bytes)).numPages).toBeGreaterThan(60);
  expect(turns).toBeGreaterThan(50);
});

test('refuses figures that do not make a whole as it would here', async () => {
  const wrong = sampleStatement({ netto_eur: '1.00' });
  await expect(makeStatement(documents, wrong)).rejects.toThrow(
    new RangeError('parts of the statement do not make the whole: net, gross'),
  );
});
