import { expect, test } from 'vitest';
import { csvText } from './csv-text.ts';

test.each(['=1+1', '+49 30', '-12,50', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠A1'])(
  'is no formula: %j',
  (text) => expect(csvText(text)).toBe(`'${text}`),
);

test.each(['', 'a=1', "'=1", ' 1', 'Müller & Söhne', '12'])('stays as it is: %j', (text) => {
  expect(csvText(text)).toBe(text);
});
