/** Running sums are what events add up to, whenever somebody asks for a value, whatever changes, breaks off or runs beside. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPriceList, type PriceList } from '#domains/preise/index.ts';
import { type CostQuestion, completeCostsSince, costsSince, withSnapshot } from '#domains/verbrauch/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { askAsOwner, createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { breaking, expectSumsAfterTakingBack } from '#test/counted-anew.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { startService, type TestService } from '#test/service.ts';
import { type AskedValue, MOST_VALUES } from './asked-values.ts';
import { createCountingWorker, setRepeats } from './index.ts';
import { nachpreisenJob } from './jobs/nachpreisen.ts';
import { werteVergessenJob } from './jobs/werte-vergessen.ts';
import { keepValues } from './keep-values.ts';

let service: TestService;
let owner: OwnerDatabase;

beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 6, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

const noPrices: PriceList = { edition: 'none', model: () => () => null };

interface Sender {
  account: Account;
  send(events: object[]): Promise<void>;
}

async function createSender(): Promise<Sender> {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const send = async (ereignisse: object[]) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse },
    });
    expect(answer.statusCode, answer.body).toBe(202);
  };
  return { account, send };
}

const worker = (prices: PriceList = createPriceList()) =>
  createCountingWorker({ db: owner, log: service.context.log, prices, substituteRate: '0.86' });
const drain = (prices?: PriceList) => worker(prices).drain();

const RUN = randomUUID();
const HOUR = 3_600_000;

const event = fc
  .record({
    ereignis_id: fc.uuid({ version: 4 }),
    ago: fc.oneof(
      fc.integer({ min: 0, max: 40 * HOUR }),
      fc.integer({ min: 50 * HOUR, max: 300 * 24 * HOUR }),
    ),
    agent: fc.constantFrom('a', 'b'),
    zusatz: fc.constantFrom({ projekt: 'p' }, { projekt: 'q' }),
    endkunde_ref: fc.constantFrom(null, 'k', 'l'),
    anbieter: fc.constant('openai'),
    modell: fc.constantFrom('gpt-4o-mini', 'eigenes'),
    funktion_ref: fc.constantFrom(null, 'f'),
    benutzer_ref: fc.constantFrom(null, 'u'),
    status: fc.constantFrom('erfolgreich', 'fehler'),
    geschaetzt: fc.boolean(),
    lauf_id: fc.constantFrom(null, RUN),
    eingabe_token: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
    ausgabe_token: fc.option(fc.integer({ min: 0, max: 10_000 })),
    latenz_ms: fc.option(fc.integer({ min: 0, max: 100_000 })),
    erste_zeichen_ms: fc.option(fc.integer({ min: 0, max: 10_000 })),
  })
  .map(({ ago, ...rest }) => ({ ...rest, zeitpunkt: new Date(Date.now() - ago).toISOString() }));
type Sent = ReturnType<typeof event.generate>['value'];

const value: fc.Arbitrary<AskedValue> = fc.oneof(
  fc.record({ dimension: fc.constant('projekt' as const), text: fc.constantFrom('p', 'q') }),
  fc.record({ dimension: fc.constant('endkunde' as const), text: fc.constantFrom('', 'k', 'l', 'nie') }),
  fc.record({ dimension: fc.constant('modell' as const), text: fc.constantFrom('gpt-4o-mini', 'eigenes') }),
  fc.record({ dimension: fc.constant('funktion' as const), text: fc.constantFrom('', 'f') }),
  fc.record({ dimension: fc.constant('benutzer' as const), text: fc.constantFrom('u') }),
);

type Step =
  | { kind: 'send'; events: Sent[]; priced: boolean }
  | { kind: 'ask'; values: AskedValue[]; breaksAt: number | null }
  | { kind: 'reprice' }
  | { kind: 'repeats'; pick: number }
  | { kind: 'forget' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      events: fc.array(event, { minLength: 1, maxLength: 12 }),
      priced: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      values: fc.array(value, { minLength: 1, maxLength: 4 }),
      breaksAt: fc.option(fc.nat({ max: 14 })),
    }),
  },
  fc.record({ kind: fc.constant('reprice' as const) }),
  fc.record({ kind: fc.constant('repeats' as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant('forget' as const) }),
);

/** … and pieces are put together, and all is made anew of events each time. */
const sums = () => expectSumsAfterTakingBack(service);

/** What a step is done to. */
interface Stage extends Sender {
  sent: Sent[];
}

async function ask({ account: { mandantId: mandant } }: Stage, { values, breaksAt }: StepOf<'ask'>) {
  const db = breaksAt === null ? owner : breaking(owner, breaksAt);
  await keepValues(db, mandant, values).catch(() => null);
  await sums();
  await keepValues(owner, mandant, values);
  const open = 'SELECT text FROM verbrauch_gefuehrt WHERE mandant_id = $1 AND seit IS NULL';
  expect(await service.sql(open, [mandant])).toEqual([]);
}

type StepOf<Kind> = Extract<Step, { kind: Kind }>;

const ACTS: { [Kind in Step['kind']]: (stage: Stage, step: StepOf<Kind>) => Promise<unknown> } = {
  async send({ sent, send }, { events, priced }) {
    sent.push(...events);
    await send(events);
    await drain(priced ? undefined : noPrices);
  },
  ask,
  reprice: () => nachpreisenJob({ owner, log: service.context.log }, createPriceList()).run(),
  repeats({ account, sent }, { pick }) {
    const own = sent.filter(({ lauf_id }, index) => lauf_id === RUN && (index + pick) % 2 === 0);
    const ids = own.map(({ ereignis_id }) => ereignis_id);
    return owner.transaction((client) => setRepeats(client, mandantId(account.mandantId), RUN, ids));
  },
  async forget({ account }) {
    await service.sql(
      'UPDATE verbrauch_gefuehrt SET gebraucht_am = current_date - 41 WHERE mandant_id = $1',
      [account.mandantId],
    );
    await werteVergessenJob({ owner, log: service.context.log }).run();
  },
};

test('whatever is counted, asked for, changed and broken off in between', {
  timeout: fuzzTime(),
}, async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
    const stage = { ...(await createSender()), sent: [] };
    for (const each of steps) {
      await ACTS[each.kind](stage, each as never);
      await sums();
    }
  });
  await fc.assert(property, { numRuns: fuzzRuns(20), endOnFailure: true });
});

test('several who ask, and two who count, at once', { timeout: 60_000 }, async () => {
  const { account, send } = await createSender();
  const call = (index: number) => ({
    ereignis_id: randomUUID(),
    zeitpunkt: new Date(Date.now() - (index % 40) * HOUR).toISOString(),
    agent: 'a',
    zusatz: { projekt: `p${index % 3}` },
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    eingabe_token: index,
  });
  const asked = ['p0', 'p1', 'p2'].map((text): AskedValue => ({ dimension: 'projekt', text }));
  const [first, second] = [worker(), worker()];
  for (let round = 1; round < 6; round += 1) {
    await send(Array.from({ length: 300 }, (_, index) => call(index)));
    await send(Array.from({ length: 40 }, (_, index) => call(index)));
    await Promise.all([
      first.drain(),
      second.drain(),
      keepValues(owner, account.mandantId, asked.slice(0, round - 1)),
      keepValues(owner, account.mandantId, asked.slice(1, round)),
    ]);
    await first.drain();
    await sums();
  }
  await keepValues(owner, account.mandantId, asked);
  await sums();
  expect(
    await service.sql(
      'SELECT count(*)::int AS n FROM verbrauch_gefuehrt WHERE mandant_id = $1 AND seit > 0',
      [account.mandantId],
    ),
  ).toEqual([{ n: 3 }]);
});

test('what a value costs is unknown until its sums are there, and known to who asks the engine', async () => {
  const { account, send } = await createSender();
  const at = (ago: number) => new Date(Date.now() - ago).toISOString();
  const call = { agent: 'a', anbieter: 'openai', modell: 'gpt-4o-mini', eingabe_token: 1_000_000 };
  await send([0, 3 * HOUR, 30 * HOUR].map((ago) => ({ ...call, zeitpunkt: at(ago) })));
  await drain();
  const mandant = mandantId(account.mandantId);
  const since: CostQuestion['since'] = [at(40 * HOUR), at(20 * HOUR), at(HOUR / 2)];
  const about = { mandant, dimension: 'modell', values: ['gpt-4o-mini', 'nie'], until: at(-HOUR) } as const;
  const question = (grain: 'minute' | 'stunde'): CostQuestion => ({ ...about, grain, since });
  const costs = (grain: 'minute' | 'stunde') =>
    owner.transaction((client) => costsSince(askAsOwner(client), question(grain)));
  const complete = (grain: 'minute' | 'stunde') =>
    withSnapshot(service.context, mandant, (snapshot) => completeCostsSince(snapshot, question(grain)));
  for (const grain of ['minute', 'stunde'] as const)
    expect([...(await costs(grain))]).toEqual([['gpt-4o-mini', null]]);
  const byEngine = [await complete('minute'), await complete('stunde')];
  expect(byEngine[0]?.get('gpt-4o-mini')).toEqual(['0.387', '0.258', '0.129']);
  await keepValues(owner, mandant, [{ dimension: 'modell', text: 'gpt-4o-mini' }]);
  expect([await costs('minute'), await costs('stunde')]).toEqual(byEngine);
  expect([await complete('minute'), await complete('stunde')]).toEqual(byEngine);
});

test('values of a Mandant have a bound, and what is beyond has no sums', async () => {
  const { account } = await createSender();
  await service.sql(
    `INSERT INTO verbrauch_gefuehrt (mandant_id, dimension, text, seit, gebraucht_am)
     SELECT $1, 3, 'k' || n, 0, current_date FROM generate_series(1, $2::int) AS n`,
    [account.mandantId, MOST_VALUES - 1],
  );
  const asked = ['p', 'q'].map((text): AskedValue => ({ dimension: 'projekt', text }));
  expect(await keepValues(owner, account.mandantId, asked)).toBe(false);
  expect(await keepValues(owner, account.mandantId, asked.slice(0, 1))).toBe(true);
  expect(
    await service.sql('SELECT text FROM verbrauch_gefuehrt WHERE mandant_id = $1 AND dimension = 2', [
      account.mandantId,
    ]),
  ).toHaveLength(1);
});
