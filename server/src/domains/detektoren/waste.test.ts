/** What is waste and what is work: the same calls, once as a loop and once as what people do on purpose or providers ask for. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls, type Protected } from '#test/protection.ts';
import { startService, type TestService } from '#test/service.ts';
import { createTwinReader } from '#test/twin.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let reader: ReturnType<typeof createTwinReader>;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
  reader = createTwinReader(service, owner);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

let ours: Protected;
beforeEach(async () => {
  ours = await createProtected(service, owner);
});

const found = (columns = 'typ, status') => ours.rows('befunde', columns);
const burnt = async () => {
  const [sum] = await ours.rows('laeufe', 'trim_scale(sum(verbranntes_geld_eur))::text AS eur, 1');
  return sum?.eur;
};
/** No tool is called: what an evaluation, a sample, a row of a list looks like. */
const noTool = { werkzeug_fingerabdruck: null };
const sameInput = { eingabe_token: 1_000_000, cache_lese_token: 0 };

describe('no loop', () => {
  beforeEach(() => ours.addRule('schleife_exakt', { stufe: 'anhalten' }));

  test('refused four times, waited, answered: the answer is no repeat and not burnt', async () => {
    const { calls } = equalCalls(5, {}, (place) =>
      place < 4
        ? { status: 'fehler', fehlercode: 'rate_limit', eingabe_token: null, cache_lese_token: null }
        : {},
    );
    await ours.send(calls);
    await ours.settle();
    expect(await found()).toEqual([]);
    expect(await burnt()).toBe('0');
  });

  test.each([
    ['ten samples of one prompt', 10, { ...noTool, ...sameInput }, 1_000],
    ['an evaluation that asks five times on purpose', 5, { ...noTool, ...sameInput }, 1_000],
    ['rows of a list that are alike, booked one by one', 9, sameInput, 1_000],
    ['a question every minute until the answer is another', 20, {}, 60_000],
    ['said to be on purpose', 40, { zusatz: { wiederholung_gewollt: true } }, 1_000],
  ])('%s', async (_, count, change, pause) => {
    const begin = Date.now() - 3_600_000;
    const { calls } = equalCalls(count, {}, (place) => ({
      ...change,
      zeitpunkt: new Date(begin + place * pause).toISOString(),
    }));
    await ours.send(calls);
    await ours.settle();
    expect(await found()).toEqual([]);
    expect(await burnt()).toBe('0');
  });

  test('results that differ, input that grows by much: there is new information', async () => {
    await ours.send(
      equalCalls(8, {}, (place) => ({ zusatz: { ergebnis_fingerabdruck: `e${place}` } })).calls,
    );
    await ours.send(equalCalls(8, {}, (place) => ({ eingabe_token: 1_000 * 2 ** place })).calls);
    await ours.settle();
    expect(await found()).toEqual([]);
  });
});

describe('a loop', () => {
  test('a short conversation grows by its steps alone: it is a loop all the same', async () => {
    await ours.addRule('schleife_exakt', { stufe: 'anhalten' });
    await ours.send(equalCalls(6, {}, (place) => ({ eingabe_token: 100 + 40 * place })).calls);
    await ours.settle();
    expect(await found()).toHaveLength(1);
  });

  test('without tools it takes longer, and it is found', async () => {
    await ours.addRule('schleife_exakt', { stufe: 'anhalten' });
    await ours.send(equalCalls(21, {}, () => ({ ...noTool, ...sameInput })).calls);
    await ours.settle();
    expect(await found("typ, werte->>'wiederholungen' AS anzahl")).toEqual([
      { typ: 'schleife_exakt', anzahl: '18' },
    ]);
  });

  test('failed calls in between neither count nor end it', async () => {
    await ours.addRule('schleife_exakt', { stufe: 'anhalten' });
    await ours.send(equalCalls(9, {}, (place) => (place % 2 ? { status: 'fehler' } : {})).calls);
    await ours.settle();
    expect(await found("typ, werte->>'anzahl' AS anzahl")).toEqual([{ typ: 'schleife_exakt', anzahl: '5' }]);
    // Four failed, and of five alike the third and the fourth.
    expect(await burnt()).toBe('0.45');
  });

  test('of an agent or a function that a rule leaves out is none', async () => {
    await ours.addRule('schleife_exakt', { parameter: { ausnahmen: ['pruefung/*', 'stichprobe'] } });
    await ours.send(equalCalls(8, { agent: 'pruefung/nacht' }).calls);
    await ours.send(equalCalls(8, {}, () => ({ funktion_ref: 'stichprobe' })).calls);
    const { lauf, calls } = equalCalls(8);
    await ours.send(calls);
    await ours.settle();
    expect(await found('lauf_id, status')).toEqual([{ lauf_id: lauf, status: 'offen' }]);
  });

  test('that a person calls a mistake burns nothing any more, anywhere, until they think again', async () => {
    await ours.addRule('schleife_exakt');
    await ours.send(equalCalls(6).calls);
    await ours.settle();
    await reader.readRested();
    expect(await burnt()).toBe('0.225');
    const [finding] = await ours.rows('befunde', 'befund_id, 1');
    const set = async (status: string) => {
      const answer = await service.app.inject({
        method: 'PUT',
        url: `/v1/cockpit/befunde/${finding?.befund_id}/status?status=${status}`,
        headers: { cookie: ours.account.cookie },
      });
      expect(answer.statusCode).toBe(200);
      await ours.settle();
    };
    const inSums = async () => {
      const answer = await service.app.inject({
        method: 'GET',
        url: '/v1/cockpit/verbrauch?zeitraum=7tage',
        headers: { cookie: ours.account.cookie },
      });
      return answer.json().summe.verbranntes_geld_eur;
    };
    expect(await inSums()).toBe('0.225');
    await set('ignoriert');
    expect([await burnt(), await inSums()]).toEqual(['0', '0']);
    // It goes on, and is what it was called.
    await ours.send(
      equalCalls(2, { lauf: (await ours.rows('laeufe', 'lauf_id, 1'))[0]?.lauf_id as string, from: 6 }).calls,
    );
    await ours.settle();
    expect(await burnt()).toBe('0');
    await set('offen');
    expect([await burnt(), await inSums()]).toEqual(['0.375', '0.375']);
  });
});

describe('without fingerprints', () => {
  const blind = { prompt_fingerabdruck: null, werkzeug_fingerabdruck: null, ausgabe_token: 20, ...sameInput };

  test('steps of one shape are told, and stop nobody', async () => {
    await ours.addRule('schleife_exakt', { stufe: 'anhalten' });
    await ours.addRule('schleife_nah', { stufe: 'anhalten' });
    await ours.send(equalCalls(12, {}, () => blind).calls);
    await ours.settle();
    expect(await found("typ, stufe, werte->'nur_form' AS form")).toEqual([
      { typ: 'schleife_nah', stufe: 'warnen', form: true },
    ]);
    expect(await burnt()).toBe('0');
  });

  test('fewer of them are nothing', async () => {
    await ours.addRule('schleife_nah', { stufe: 'anhalten' });
    await ours.send(equalCalls(9, {}, () => blind).calls);
    await ours.settle();
    expect(await found()).toEqual([]);
  });
});

test('tools that alternate for other things each time may get further: that is a finding, and stops nobody', async () => {
  await ours.addRule('pingpong', { stufe: 'anhalten' });
  const inTurn = (lauf: string, print: (place: number) => string) =>
    equalCalls(10, { lauf }, (place) => ({
      werkzeug_fingerabdruck: `000000000000000${place % 2}`,
      prompt_fingerabdruck: print(place),
    })).calls;
  const [stuck, moving] = [randomUUID(), randomUUID()];
  await ours.send(inTurn(stuck, (place) => `00000000000000a${place % 2}`));
  await ours.send(inTurn(moving, (place) => `0000000000000a${place}f`));
  await ours.settle();
  const levels = new Map((await found('lauf_id, stufe')).map(({ lauf_id, stufe }) => [lauf_id, stufe]));
  expect(levels).toEqual(
    new Map([
      [stuck, 'anhalten'],
      [moving, 'warnen'],
    ]),
  );
});

test('who waits longer from time to time makes no storm, who tries again at once does', async () => {
  await ours.addRule('wiederholsturm', { stufe: 'drosseln' });
  const begin = Date.now() - 2 * 3_600_000;
  const failing = (waits: number[], agent: string) =>
    equalCalls(waits.length, { agent }, (place) => ({
      status: 'fehler',
      zeitpunkt: new Date(
        begin + waits.slice(0, place + 1).reduce((sum, each) => sum + each, 0),
      ).toISOString(),
    })).calls;
  await ours.send(failing([0, 500, 1_100, 2_300, 4_700, 9_800], 'geduldig'));
  await ours.send(failing([0, 30_000, 30_000, 30_000, 30_000], 'wie/verlangt'));
  await ours.send(failing([0, 300, 250, 310, 290, 305], 'ungeduldig'));
  await ours.settle();
  await reader.detect();
  expect(await found("agent, werte->>'aufrufe' AS anzahl")).toEqual([{ agent: 'ungeduldig', anzahl: '4' }]);
});

test('growth that comes from the cache is how agents work, and paid in full it is a finding', async () => {
  await ours.addRule('kontextwachstum', { stufe: 'anhalten' });
  const grown = (lese: (eingabe: number) => number) =>
    equalCalls(12, {}, (place) => {
      const eingabe = 10_000 + place * 8_000;
      return {
        prompt_fingerabdruck: `000000000000ff${10 + place}`,
        eingabe_token: eingabe,
        cache_lese_token: place === 0 ? 0 : lese(eingabe),
      };
    });
  await ours.send(grown((eingabe) => eingabe - 8_000).calls);
  const { lauf, calls } = grown(() => 0);
  await ours.send(calls);
  await ours.settle();
  expect(await found('lauf_id, typ')).toEqual([{ lauf_id: lauf, typ: 'kontextwachstum' }]);
});

describe('a sender whose clock is three hours behind', () => {
  const HOURS = 3 * 3_600_000;
  /** Calls as they are made, each sent when it was: what is received lies as far apart as what is said. */
  async function live(send: (calls: object[], place: number) => Promise<unknown>, count = 6): Promise<void> {
    const { calls } = equalCalls(count, { begin: Date.now() - HOURS });
    for (const [place, call] of calls.entries()) await send([call], place);
  }
  /** As if a second lay between the batches. */
  const spread = () =>
    service.sql(
      `UPDATE ereignisse SET empfangen_am = now() - interval '1 second' * (10 - schritt_nr) WHERE mandant_id = $1`,
      [ours.mandant],
    );

  test('is stopped like any other', async () => {
    await ours.addRule('schleife_exakt', { stufe: 'anhalten' });
    await live(async (calls, place) => {
      await ours.send(calls);
      if (place === 3) {
        await ours.settle();
        await spread();
      }
    });
    await ours.settle();
    expect(await found('typ, stufe')).toEqual([{ typ: 'schleife_exakt', stufe: 'anhalten' }]);
  });

  test('and what is delivered late, or imported, is history still', async () => {
    await ours.addRule('schleife_exakt', { stufe: 'anhalten' });
    await ours.send(equalCalls(6, { begin: Date.now() - HOURS }).calls);
    await ours.settle();
    expect(await found('typ, stufe')).toEqual([{ typ: 'schleife_exakt', stufe: 'beobachten' }]);
  });
});
