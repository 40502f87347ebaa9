import { expect, test } from 'vitest';
import { FIGURE_NAMES } from '#contracts';
import { unpackPiece } from '#test/pieces.ts';
import type { CountedEvent } from '../normalise.ts';
import type { Addend } from './figures.ts';
import { Piece } from './piece.ts';
import { Values } from './values.ts';

const FIGURE = FIGURE_NAMES.indexOf('ausgabe_gesamt');

test.each([2n ** 53n, 3n * 2n ** 53n, -(2n ** 54n), 2n ** 53n - 1n])(
  'counts that no number holds are in several rows, and their sum is exact: %s',
  (count) => {
    const event = {
      ...{ seconds: 0, stunde: '1970-01-01T00:00:00Z', tag: '1970-01-01', agent: 'a', projekt: 'p' },
      ...{ endkunde: null, anbieter: null, modell: null, funktion: null, benutzer: null, merkmale: [] },
    } as unknown as CountedEvent;
    const addend = {
      beyond: new Map([[FIGURE, count]]),
      steps: [-1, -1],
      figure: (figure: number) => (figure === FIGURE ? count : figure === 0 ? 1 : 0n),
    } as unknown as Addend;
    const values = new Values();
    const piece = new Piece();
    piece.add(event, values.of(event), addend);
    const written = piece.pack(Int32Array.from(values.texts, (_, value) => value));
    const { columns, count: rows } = unpackPiece(written?.bytes as Buffer);
    const sumOf = (name: 'ausgabe_gesamt' | 'aufrufe') =>
      Array.from(columns.get(name) ?? [], BigInt).reduce((sum, value) => sum + value, 0n);
    expect([sumOf('ausgabe_gesamt'), sumOf('aufrufe')]).toEqual([count, 1n]);
    expect(written?.rows).toBe(rows);
  },
);
