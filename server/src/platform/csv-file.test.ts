import { describe, expect, test } from 'vitest';
import type { InvalidInput } from '#kernel/errors.ts';
import { MOST_CELLS, MOST_COLUMNS, readCsv } from './csv-file.ts';

const FORM = { delimiters: [';', ',', '\t'], lines: 3 };
const reasonOf = (text: string, form = FORM): string => {
  try {
    readCsv(text, form);
  } catch (error) {
    const [fault] = (error as InvalidInput).faults;
    return fault && 'reason' in fault ? fault.reason.en : '';
  }
  return 'none';
};

test('lines that hold anything are read, by the delimiter that the head has most of', () => {
  expect(readCsv('\uFEFFa,b;c,d\r\n\r\n;\r\n,,\r\n1,"x\n,"";y", 3\r\n', FORM)).toEqual([
    { number: 1, cells: ['a', 'b;c', 'd'] },
    { number: 3, cells: [';'] },
    { number: 6, cells: ['1', 'x\n,";y', '3'] },
  ]);
  expect(readCsv('a\nb\n', FORM)[1]).toEqual({ number: 2, cells: ['b'] });
});

describe('what is too much', () => {
  const cells = (count: number) =>
    `${';'.repeat(MOST_COLUMNS - 1)}\n`.repeat(Math.ceil(count / (MOST_COLUMNS - 1)));

  test.each([
    ['columns', `a${';'.repeat(MOST_COLUMNS)}`, `at most ${MOST_COLUMNS} columns`],
    ['columns of a later line', `a\n${';'.repeat(MOST_COLUMNS)}`, `at most ${MOST_COLUMNS} columns`],
    ['cells', `a\n${cells(MOST_CELLS + MOST_COLUMNS)}`, `at most ${MOST_CELLS} cells`],
    ['lines', 'a\n1\n2\n3\n4', 'at most 3 lines'],
    ['one line without end', `a\n"${'x'.repeat(200_000)}`, 'this is no CSV that can be read'],
    ['nothing', '\n;;\n', 'this is no CSV that can be read'],
  ])('is refused: %s', (_, text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  test('is not what stands in quotes, or empty lines', () => {
    expect(reasonOf(`a\n"${';'.repeat(5_000)}"\n`)).toBe('none');
    expect(reasonOf(`a${'\n'.repeat(50_000)}b\n`)).toBe('none');
    expect(reasonOf(`a;b\n1;2\n${';\n'.repeat(1_000)}`)).toBe('none');
  });
});
