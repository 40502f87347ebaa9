/** A statement made beside everything else. */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { createDocuments } from '#platform/documents.ts';
import { createLog } from '#platform/log.ts';
import { isWhole } from '#test/depth.ts';
import { openPdf } from '#test/read-pdf.ts';
import { longStatement, sampleStatement } from '#test/sample-statement.ts';
import { makeStatement } from './make.ts';
import { statementPdf } from './statement.ts';

const documents = createDocuments(createLog('fatal'), { timeLimit: 3_600_000 });
afterAll(() => documents.stop());
const OURS = mandantId(randomUUID());

test('is the same as made here', async () => {
  const bytes = await makeStatement(documents, OURS, sampleStatement());
  expect(Buffer.compare(bytes, await statementPdf(sampleStatement()))).toBe(0);
});

test('of dozens of pages is made, as a whole in a thread', async () => {
  const asked = vi.spyOn(documents, 'make');
  const statement = longStatement(isWhole ? 2_400 : 300);
  const bytes = await makeStatement(documents, OURS, statement);
  expect((await openPdf(bytes)).numPages).toBeGreaterThan(isWhole ? 60 : 8);
  expect(asked).toHaveBeenCalledExactlyOnceWith(OURS, expect.any(URL), statement, {});
});

test('refuses figures that do not make a whole as it would here', async () => {
  const wrong = sampleStatement({ netto_eur: '1.00' });
  await expect(makeStatement(documents, OURS, wrong)).rejects.toThrow(
    new RangeError('parts of the statement do not make the whole: net, gross'),
  );
});
