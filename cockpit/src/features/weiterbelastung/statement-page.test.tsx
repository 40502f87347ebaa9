/** The statement of an end customer: what a correction is made of. */
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';

test('a correction says whose calls, how many, why, their cost, markup and document', async () => {
  const example = answerOf('abrechnung');
  const line = { ...example.zeile, art: 'korrektur' as const, monat: '2026-09', aufschlag_prozent: '15' };
  const charge = { abrechenbar_eur: '4.5', betrag_eur: '5.17', aufschlag: null };
  const korrekturen = [
    {
      ...line,
      ...charge,
      referenz: 'K-1',
      zahler: 'K-1',
      aufrufe: 1,
      gruende: ['nachgekommen' as const],
      belegnummer: '202610K202609-K-1',
    },
    {
      ...line,
      ...charge,
      referenz: 'K-1-alt',
      zahler: 'K-1',
      aufrufe: 0,
      gruende: ['neu_bepreist' as const],
      belegnummer: '202610K202609-K-1-alt',
    },
  ];
  await openAt('/endkunden/abrechnung?referenz=K-1&monat=2026-10', {
    answers: { abrechnung: answerOf('abrechnung', { korrekturen }) },
  });
  const rows = await screen.findAllByRole('row', { name: /^Korrektur zu September 2026/ });
  expect(rows.map(({ textContent }) => textContent?.replaceAll(/\s/g, ' '))).toEqual([
    'Korrektur zu September 2026Aufrufe: +1 · nachgekommen · Kosten 4,50 € · Aufschlag 15 % · Beleg 202610K202609-K-15,17 €',
    'Korrektur zu September 2026Referenz K-1-alt · Preise geändert · Kosten 4,50 € · Aufschlag 15 % · Beleg 202610K202609-K-1-alt5,17 €',
  ]);
});
