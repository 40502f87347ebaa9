import { describe, expect, it } from 'vitest';
import { type CsvCell, toCsv } from './csv.ts';

const body = (csv: string) => csv.replace(/^\ufeff/, '').split('\r\n');

describe('toCsv', () => {
  it('speaks German: semicolons, decimal comma, byte-order mark, CRLF', () => {
    const csv = toCsv(
      ['Agent', 'Kosten', 'Aufrufe'],
      [[{ text: 'a' }, { decimal: '-12.50' }, { count: 1234 }]],
      'de',
    );
    expect(csv).toBe('\ufeffAgent;Kosten;Aufrufe\r\na;-12,50;1234\r\n');
  });

  it('speaks English: commas, decimal point', () => {
    expect(body(toCsv(['a', 'b'], [[{ decimal: '1.5' }, { count: 2 }]], 'en'))[1]).toBe('1.5,2');
  });

  it.each(['=1+1', '+49', '-5', '@x', '\tx'])('makes the text %j harmless', (text) => {
    const [, line] = body(toCsv(['a'], [[{ text }]], 'de'));
    expect(line).toBe(`'${text}`);
  });

  it('leaves a negative amount a number', () => {
    expect(body(toCsv(['a'], [[{ decimal: '-5' }]], 'de'))[1]).toBe('-5');
  });

  it('quotes what would break a line, and keeps unknown empty', () => {
    const cells: CsvCell[] = [{ text: 'a;b' }, { text: 'say "hi"' }, { text: 'x\r\ny' }, null];
    expect(toCsv(['1', '2', '3', '4'], [cells], 'de')).toBe(
      '\ufeff1;2;3;4\r\n"a;b";"say ""hi""";"x\r\ny";\r\n',
    );
  });
});
