import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { missingBody, parseJson } from './json.ts';
import { findJsonFault } from './json-fault.ts';

const MAX_NESTING = 1_000;

const parse = (text: string) => parseJson(new TextEncoder().encode(text));

describe('valid JSON', () => {
  it.each([
    ['{"a":[1,"x"]}', true],
    ['\ufeff{"a":1}', true],
    ['"\\u0000"', false],
    ['"\\\\user"', false],
  ])('%j', (text, plainText) => {
    const json = text.replace('\ufeff', '');
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(json), text: json, plainText });
  });
});

/** Texts and positions as CPython 3.11.7 gives them. */
describe('broken JSON', () => {
  it.each([
    ['   ', 'Expecting value', 3],
    ['{} x', 'Extra data', 3],
    ['1.', 'Extra data', 1],
    ['01', 'Extra data', 1],
    ['{"a":1,}', 'Expecting property name enclosed in double quotes', 7],
    ["{'a':1}", 'Expecting property name enclosed in double quotes', 1],
    ['{', 'Expecting property name enclosed in double quotes', 1],
    ['{"a" 1}', "Expecting ':' delimiter", 5],
    ['{"a":1 "b":2}', "Expecting ',' delimiter", 7],
    ['[1 2]', "Expecting ',' delimiter", 3],
    ['[1', "Expecting ',' delimiter", 2],
    ['[1,]', 'Expecting value', 3],
    ['[', 'Expecting value', 1],
    ['{"a":}', 'Expecting value', 5],
    ['nul', 'Expecting value', 0],
    ['[-]', 'Expecting value', 1],
    ['[NaN]', 'Expecting value', 1],
    ['-Infinity', 'Expecting value', 0],
    ['"a', 'Unterminated string starting at', 0],
    ['["a\\', 'Unterminated string starting at', 1],
    ['"a\nb"', 'Invalid control character at', 2],
    ['"\\x"', 'Invalid \\escape', 1],
    ['"\\u12g4"', 'Invalid \\uXXXX escape', 2],
    ['"\\u123', 'Invalid \\uXXXX escape', 2],
    ['["😀😀" 1]', "Expecting ',' delimiter", 6],
  ])('%j', (text, error, position) => {
    expect(parse(text)).toEqual({
      ok: false,
      status: 422,
      faults: [
        {
          type: 'json_invalid',
          loc: ['body', position],
          msg: 'JSON decode error',
          input: {},
          ctx: { error },
        },
      ],
    });
  });

  it('is found wherever JSON.parse refuses, and nowhere else', () => {
    const piece = fc.constantFrom(...'{}[]":,01.eE-+ \n\\ux', 'true', 'null', '"a"', '{"a":', '[1,');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const valid = parse(text).ok;
        // The scanner alone answers `Expecting value` at 0 for what it finds nothing wrong with.
        expect(findJsonFault(text, MAX_NESTING)).toEqual(
          valid
            ? { error: 'Expecting value', position: 0 }
            : expect.objectContaining({ error: expect.any(String) }),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a body that is not read at all', () => {
  it('is not UTF-8', () => {
    expect(parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ ok: false, status: 400 });
    expect(parse('"ä"').ok).toBe(true);
  });

  it('is broken after more levels than are explained', () => {
    expect(parse('['.repeat(100_000))).toEqual({ ok: false, status: 400 });
    expect(parse('{"a":'.repeat(MAX_NESTING + 1))).toEqual({ ok: false, status: 400 });
    expect(parse('['.repeat(MAX_NESTING))).toMatchObject({ status: 422 });
  });
});

it('answers a request without a body', () => {
  expect(missingBody()).toEqual([{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }]);
});
