import { describe, expect, it } from 'vitest';
import { changedKanaele, colourProblem, given, imageTypeOf, mergeKanaele } from './rules.ts';

describe('wished fields', () => {
  it('keep apart a field left out and one that is cleared', () => {
    expect(given({ a: ' x ', b: '', c: '  ', d: null, e: undefined })).toEqual({
      a: 'x',
      b: null,
      c: null,
      d: null,
      e: undefined,
    });
  });
});

describe('colour', () => {
  it.each(['#000000', '#1D4ed8'])('%s is one', (text) => expect(colourProblem(text)).toBeNull());
  it.each(['000000', '#fff', '#12345g', '#1234567', 'red', '#12345\n'])('%j is none', (text) =>
    expect(colourProblem(text)?.de).toBe('muss die Form #rrggbb haben'),
  );
});

describe('type of a picture', () => {
  it.each([
    ['89504e470d0a1a0a0000', 'image/png'],
    ['ffd8ffe000104a46', 'image/jpeg'],
    ['89504e470d0a', null],
    ['474946383961', null],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('hex'), null],
    ['', null],
  ])('%s is %s', (hex, type) => {
    expect(imageTypeOf(Buffer.from(hex, 'hex'))).toBe(type);
  });
});

describe('alarm channels', () => {
  const before = {
    email: ['a@example.org'],
    adressen: { chatA_webhook: 'https://a/', push_url: 'https://p/' },
  };

  it('stay, go and come as wished', () => {
    expect(mergeKanaele(before, { chatA_webhook: null, webhook_url: 'https://w/' })).toEqual({
      email: ['a@example.org'],
      adressen: { push_url: 'https://p/', webhook_url: 'https://w/' },
    });
    expect(mergeKanaele(before, { email: [] })).toEqual({ ...before, email: [] });
    expect(mergeKanaele(before, {})).toEqual(before);
  });

  it('have changed where they lead elsewhere', () => {
    const after = { email: [], adressen: { chatA_webhook: 'https://a/2', push_url: 'https://p/' } };
    expect(changedKanaele(before, after)).toEqual(['email', 'chatA_webhook']);
    expect(changedKanaele(before, structuredClone(before))).toEqual([]);
  });
});
