import { describe, expect, test } from 'vitest';
import { decide, type Vorhaben } from './decide.ts';
import { type Eingriff, eingriffeIn } from './eingriff.ts';
import { Known } from './known.ts';
import { eingriff } from './test-eingriff.ts';

const NOW = Date.parse('2026-01-02T00:00:00Z');
const RUN = '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b';
const CALL: Vorhaben = {
  agent: 'support/triage',
  lauf_id: RUN,
  endkunde_ref: 'kunde-a',
  funktion_ref: 'angebot',
  benutzer_ref: 'u-17',
  modell: 'gpt-4o-mini',
};

const runOf = (beganAt: number | null, above: string[] = []) =>
  beganAt === null ? null : { beganAt, above };
const forbids = (change: Partial<Eingriff>, call = CALL, begin: number | null = NOW) =>
  decide([eingriff(change)], call, runOf(begin), NOW).forbids !== null;

describe('what an intervention is about', () => {
  test.each<[Partial<Eingriff>, Vorhaben, boolean]>([
    [{ objekt_art: 'lauf', objekt: RUN }, {}, true],
    [{ objekt_art: 'lauf', objekt: RUN }, { lauf_id: `{${RUN.toUpperCase().replaceAll('-', '')}}` }, true],
    [{ objekt_art: 'lauf', objekt: RUN }, { lauf_id: '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8c' }, false],
    [{ objekt_art: 'lauf', objekt: RUN }, { lauf_id: null }, false],
    [{ objekt_art: 'agent', objekt: 'support/triage' }, {}, true],
    [{ objekt_art: 'agent', objekt: 'support/triage' }, { agent: 'support' }, false],
    [{ objekt_art: 'agent', objekt: 'unbekannt' }, { agent: null }, true],
    [{ objekt_art: 'agent', objekt: 'unbekannt' }, { agent: '' }, true],
    [{ objekt_art: 'projekt', objekt: 'support' }, {}, true],
    [{ objekt_art: 'projekt', objekt: 'support' }, { zusatz: { projekt: 'web' } }, false],
    [{ objekt_art: 'projekt', objekt: 'web' }, { zusatz: { projekt: 'web' } }, true],
    [{ objekt_art: 'projekt', objekt: 'support' }, { agent: 'support' }, false],
    [{ objekt_art: 'endkunde', objekt: 'kunde-a' }, {}, true],
    [{ objekt_art: 'endkunde', objekt: 'kunde-a' }, { endkunde_ref: 'kunde-b' }, false],
    [{ objekt_art: 'endkunde', objekt: 'kunde-a' }, { endkunde_ref: null }, false],
    [{ objekt_art: 'funktion', objekt: 'angebot' }, {}, true],
    [{ objekt_art: 'funktion', objekt: 'angebot' }, { funktion_ref: 'Angebot' }, false],
    [{ objekt_art: 'benutzer', objekt: 'u-17' }, {}, true],
    [{ objekt_art: 'benutzer', objekt: 'u-17' }, { benutzer_ref: null }, false],
    [{ objekt_art: 'modell', objekt: 'gpt-4o-mini' }, {}, true],
    [{ objekt_art: 'modell', objekt: 'gpt-4o-mini' }, { modell: 'gpt-4o' }, false],
    [{ objekt_art: 'mandant', objekt: '' }, {}, true],
    [{ objekt_art: 'mandant', objekt: '' }, { agent: null, lauf_id: null }, true],
  ])('%o and a call with %o: %s', (change, call, expected) => {
    expect(forbids(change, { ...CALL, ...call })).toBe(expected);
  });
});

describe('how far it goes', () => {
  const beginn = '2026-01-01T12:00:00Z';
  const before = Date.parse(beginn) - 1;
  const after = Date.parse(beginn) + 1;
  test.each<[Partial<Eingriff>, number | null, boolean]>([
    // A run that is stopped stays so, whenever this process has first seen it.
    [{ stufe: 'anhalten', objekt_art: 'lauf', objekt: RUN, beginn }, after, true],
    [{ stufe: 'anhalten', beginn }, before, true],
    [{ stufe: 'anhalten', beginn }, Date.parse(beginn), true],
    [{ stufe: 'anhalten', beginn }, after, false],
    [{ stufe: 'anhalten', beginn }, null, false],
    [{ stufe: 'anhalten', objekt_art: 'mandant', objekt: '', beginn }, before, true],
    [{ stufe: 'anhalten', objekt_art: 'endkunde', objekt: 'kunde-a', beginn }, after, false],
    [{ stufe: 'sperren', beginn }, after, true],
    [{ stufe: 'sperren', beginn, bis: '2026-01-02T00:00:00.001Z' }, before, true],
    [{ stufe: 'sperren', beginn, bis: '2026-01-02T00:00:00Z' }, before, false],
    [{ stufe: 'drosseln', beginn }, before, false],
  ])('%o, the run having begun at %s: %s', (change, begin, expected) => {
    expect(forbids(change, CALL, begin)).toBe(expected);
  });

  test('the highest level is named, of one level the narrowest; what slows down is there beside it', () => {
    const all = eingriff({ objekt_art: 'mandant', objekt: '' });
    const model = eingriff({ objekt_art: 'modell', objekt: 'gpt-4o-mini' });
    const run = eingriff({ stufe: 'anhalten', objekt_art: 'lauf', objekt: RUN });
    const slow = eingriff({ stufe: 'drosseln' });
    const slower = eingriff({ stufe: 'drosseln', objekt_art: 'projekt', objekt: 'support' });
    expect(decide([run, slower, slow, all, model], CALL, runOf(NOW), NOW)).toEqual({
      forbids: model,
      slow: [slow, slower],
    });
    expect(decide([slow, run], CALL, runOf(NOW), NOW).forbids).toEqual(run);
    expect(decide([slow], CALL, runOf(NOW), NOW).forbids).toBeNull();
  });
});

describe('what an answer lists', () => {
  test('is read as it is; what nobody has to obey or nobody can read is left out', () => {
    const one = eingriff({ objekt_art: 'mandant', objekt: '', bis: '2026-02-01T00:00:00Z' });
    const odd = [
      { ...one, stufe: 'warnen' },
      { ...one, objekt_art: 'neu' },
      { ...one, beginn: 'soon' },
      null,
      'x',
    ];
    expect(eingriffeIn(JSON.stringify({ eingriffe: [one, ...odd] }))).toEqual([one]);
    expect(eingriffeIn('{"eingriffe":[]}')).toEqual([]);
    // An end that nobody understands is none.
    expect(eingriffeIn(JSON.stringify({ eingriffe: [{ ...one, bis: 'soon' }] }))).toEqual([
      { ...one, bis: null },
    ]);
  });

  test.each(['', '{}', '<html>', '{"eingriffe":{}}', 'null'])('%j says nothing', (body) => {
    expect(eingriffeIn(body)).toBeNull();
  });
});

describe('what is known', () => {
  const a = eingriff({ objekt: 'a' });
  const b = eingriff({ objekt: 'b' });
  const run = eingriff({ objekt_art: 'lauf', objekt: RUN, agent: 'a', stufe: 'anhalten' });
  const all = eingriff({ objekt_art: 'mandant', objekt: '', stufe: 'drosseln' });
  const knowing = (...eingriffe: Eingriff[]) => {
    const changes: number[] = [];
    const known = new Known(({ length }) => changes.push(length));
    known.replace(eingriffe);
    return { known, changes };
  };

  test.each<[string, Eingriff[], string[], Eingriff[], Eingriff[], boolean]>([
    ['nothing new', [a, b, all], ['a'], [a, all], [a, b, all], false],
    ['nothing at all', [b], ['a'], [], [b], false],
    ['one more', [b], ['a'], [a, run], [a, run, b], true],
    ['one for everybody', [b], ['a'], [all], [all, b], true],
    ['one ended, those of others stay', [a, b, run, all], ['a'], [run, all], [run, all, b], true],
    ['one for everybody ended', [b, all], ['a'], [], [b], true],
    ['of several agents', [a, b, run], ['a', 'b'], [run], [run], true],
    ['of none', [a, all], [], [all], [a, all], false],
  ])('after a batch with %s', (_what, before, agents, listed, after, isNews) => {
    const { known } = knowing(...before);
    expect(known.merge(new Set(agents), listed)).toBe(isNews);
    expect(known.all()).toEqual(after);
  });

  test('another end of the same intervention is news', () => {
    const { known } = knowing(a);
    const longer = { ...a, bis: '2027-01-01T00:00:00Z' };
    expect(known.merge(new Set(['a']), [longer])).toBe(true);
    expect(known.all()).toEqual([longer]);
  });

  test('the whole list takes the place of everything; the same one changes nothing', () => {
    const { known, changes } = knowing(a, b);
    known.replace([a, b].map((each) => ({ ...each })));
    known.replace([all]);
    expect(known.all()).toEqual([all]);
    expect(changes).toEqual([2, 1]);
  });
});
