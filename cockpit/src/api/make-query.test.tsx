/** A list for a file is read to its last page. */
import { expect, test } from 'vitest';
import { answerOf } from '../../test/examples.ts';
import { serve } from '../../test/service.ts';
import { readWhole } from './make-query.ts';

test('page by page, until there is none', async () => {
  const [run] = answerOf('cockpitLaeufe').laeufe;
  const calls = serve({
    cockpitLaeufe: ({ query: { nach } }) =>
      answerOf('cockpitLaeufe', {
        laeufe: [run!],
        weiter: nach === undefined ? 'zwei' : nach === 'zwei' ? 'drei' : null,
      }),
  });
  const whole = await readWhole('cockpitLaeufe', {}, ({ laeufe }) => laeufe);
  expect(calls.map(({ query }) => query.nach)).toEqual([undefined, 'zwei', 'drei']);
  expect([whole.rows.length, whole.isWhole]).toEqual([3, true]);
});
