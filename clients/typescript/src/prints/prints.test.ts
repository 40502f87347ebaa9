import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newInput } from './new-input.ts';
import { printsOf } from './prints.ts';
import { KeyedPrints } from './sim-hash.ts';
import { hashesOf, wordsOf } from './words.ts';

interface Golden {
  key: string;
  words: { text: string; words: [string, number][] }[];
  prompts: { name: string; request: unknown; words: number; prompt_fingerabdruck: string | null }[];
  tools: { name: string; answer: unknown[]; werkzeug_fingerabdruck: string | null }[];
}

const file = join(import.meta.dirname, '../../../golden/fingerprints.json');
const golden: Golden = JSON.parse(readFileSync(file, 'utf8'));
const keyed = new KeyedPrints(golden.key);
const promptPrint = (request: unknown) => printsOf(request, [], keyed).prompt_fingerabdruck;
const toolPrint = (parts: unknown[]) => printsOf({}, parts, keyed).werkzeug_fingerabdruck;

describe('the vectors', () => {
  it.each(golden.words)('words of $text', ({ text, words }) => {
    expect(wordsOf(text).map((word) => [word, hashesOf(word)])).toEqual(words);
  });

  it.each(golden.prompts)('$name', ({ request, words, prompt_fingerabdruck }) => {
    expect(newInput(request)).toHaveLength(words);
    expect(promptPrint(request)).toBe(prompt_fingerabdruck);
  });

  it.each(golden.tools)('$name', ({ answer, werkzeug_fingerabdruck }) => {
    expect(toolPrint(answer)).toBe(werkzeug_fingerabdruck);
  });
});

describe('a prompt', () => {
  const chat = (...contents: string[]) => ({
    messages: contents.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
  });

  it('has the same print whatever was said before it', () => {
    expect(promptPrint(chat('a', 'b', 'What now?'))).toBe(promptPrint(chat('What now?')));
    expect(promptPrint(chat('What now?', 'b', 'And then?'))).not.toBe(promptPrint(chat('What now?')));
  });

  it('has another print under another key', () => {
    const other = new KeyedPrints('00'.repeat(32));
    expect(printsOf(chat('What now?'), [], other).prompt_fingerabdruck).not.toBe(
      promptPrint(chat('What now?')),
    );
  });

  it('tells words in another order, and another number, apart', () => {
    expect(promptPrint(chat('A pays B'))).not.toBe(promptPrint(chat('B pays A')));
    const template = (number: number) => `Please book invoice ${number} for the customer. `.repeat(40);
    expect(promptPrint(chat(template(4711)))).not.toBe(promptPrint(chat(template(4712))));
  });

  it('that is nested too deeply to be read has no print', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(promptPrint({ messages: [{ role: 'user', content: deep }] })).toBeNull();
  });
});

it('whatever comes has 16 hexadecimal characters or none, the same every time', () => {
  const anything = fc.anything({ withBigInt: false, withDate: false });
  const request = fc.oneof(anything, fc.record({ messages: fc.array(anything), prompt: anything }));
  fc.assert(
    fc.property(request, fc.array(anything), (asked, parts) => {
      const prints = printsOf(asked, parts, keyed);
      for (const each of Object.values(prints)) if (each !== null) expect(each).toMatch(/^[0-9a-f]{16}$/);
      expect(printsOf(asked, parts, keyed)).toEqual(prints);
    }),
  );
});

it('words are those of the pattern of the recipe, whatever stands beside each other', () => {
  const unparted = '\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7a3';
  const recipe = new RegExp(`§|[${unparted}]|(?:(?![${unparted}])[\\p{L}\\p{N}])+`, 'gu');
  const character = fc.constantFrom(
    ...'aZß7 .-_§\nÄé\u0301あ漢ﬁ①',
    '𝔸',
    '😀',
    '𠀀',
    '\ud800',
    'word',
    'x'.repeat(40),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 60 }), (characters) => {
      const text = characters.join('');
      const plain = text.toWellFormed().normalize('NFKC').toLowerCase();
      expect(wordsOf(text)).toEqual(plain.match(recipe) ?? []);
    }),
  );
});
