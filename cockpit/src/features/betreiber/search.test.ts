import { expect, it } from 'vitest';
import { parseMandantenSearch, parseProtokollSearch } from './search.ts';

const id = '01932f6e-0000-7000-8000-000000000001';

it('reads what it understands', () => {
  expect(parseMandantenSearch({ suche: 'a', paket: 'team', status: 'gekündigt', mandant: id })).toEqual({
    ...{ suche: 'a', paket: 'team', status: 'gekündigt', mandant: id },
  });
  expect(parseProtokollSearch({ mandant: id })).toEqual({ mandant: id });
});

it('leaves out what it does not', () => {
  const nothing = { suche: undefined, paket: undefined, status: undefined, mandant: undefined };
  expect(parseMandantenSearch({ suche: '', paket: 'gold', status: 7, mandant: 'x' })).toEqual(nothing);
  expect(parseMandantenSearch({ suche: 'x'.repeat(300) }).suche).toHaveLength(200);
});
