import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { editionWith } from '#test/price-lists.ts';
import { startService, type TestService } from '#test/service.ts';
import { goBack, takeEdition, takePackaged } from '../owner/editions.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const lookUp = (modelle: object[], user: Account | null = account) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/preise/nachschlagen',
    headers: user ? { cookie: user.cookie } : {},
    payload: { modelle },
  });

it('says what models cost now, and who says so', async () => {
  await service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/preise',
    headers: { cookie: account.cookie },
    payload: {
      fassung: 0,
      preise: [{ modell: 'llama*', saetze: { sekunde: '0.0002', eingabe: 0, ausgabe: 0 } }],
      rabatte: [{ anbieter: 'openai', prozent: '10' }],
    },
  });
  const answer = await lookUp([
    { anbieter: 'openai', modell: 'gpt-4o-mini' },
    { anbieter: 'anthropic', modell: 'claude-sonnet-4-6' },
    { modell: 'llama-privat' },
    { anbieter: 'niemand', modell: 'nie gehört' },
  ]);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json().modelle).toMatchObject([
    {
      anbieter: 'openai',
      modell: 'gpt-4o-mini',
      herkunft: 'liste',
      rabatt_prozent: '10',
      saetze: { eingabe: '0.135', ausgabe: '0.54', cache_lese: '0.0675', aufruf: null },
    },
    {
      herkunft: expect.stringMatching(/^(liste|ergaenzung)$/),
      rabatt_prozent: null,
      saetze: { eingabe: '3', cache_schreib: '3.75', cache_schreib_1h: '6', websuche: '0.01' },
    },
    {
      anbieter: null,
      herkunft: 'preisbuch',
      quelle: 'preisbuch 1 llama*',
      saetze: { eingabe: '0', sekunde: '0.0002' },
    },
    { anbieter: 'niemand', modell: 'nie gehört', quelle: null, herkunft: null, saetze: null },
  ]);
});

it('asks who it is, and refuses what is no question', async () => {
  expect((await lookUp([], null)).statusCode).toBe(401);
  expect((await lookUp([{ modell: '' }])).statusCode).toBe(422);
  expect((await lookUp(Array.from({ length: 201 }, () => ({ modell: 'm' })))).statusCode).toBe(422);
  const other = await registerAccount(service);
  expect((await lookUp([{ modell: 'llama-privat' }], other)).json().modelle[0].herkunft).toBeNull();
});

it('asks the price list that is in force, whichever was before', async () => {
  const owner = ownerOf(service);
  const now = new Date('2026-11-20T12:00:00Z');
  const sourceOf = async () =>
    (
      await lookUp([
        { anbieter: 'anthropic', modell: 'claude-opus-4-1' },
        { anbieter: 'openai', modell: 'nagelneu-1' },
      ])
    )
      .json()
      .modelle.map(({ quelle }: { quelle: string | null }) => quelle);
  await takePackaged(owner, now);
  const [before] = await sourceOf();
  await takeEdition(
    owner,
    {
      bytes: await editionWith('nagelneu-1', 3),
      herkunft: 'netz',
      stand: '2026-11-20',
      bestaetigt_am: '2026-11-20T00:00:00Z',
    },
    now,
    null,
  );
  expect(await sourceOf()).toEqual([
    expect.stringContaining('genai-prices 2026-11-20.2'),
    expect.stringMatching(/^genai-prices 2026-11-20.2 openai\/nagelneu-1/),
  ]);
  await goBack(owner);
  expect(await sourceOf()).toEqual([before, null]);
  await owner.close();
});
