/** A program that never ends, in every library, against a service whose rule about loops is armed: it is stopped within ten calls. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ResponseOf, regelAendern, regeln } from '../../../contracts/index.ts';
import { type FakeProvider, startFakeProvider } from '../../../test/fake-provider/index.ts';
import { type Account, createAccount, request } from '../../../test/outside-account.ts';
import { createServiceProcess, type ServiceProcess } from '../../../test/service-process.ts';
import { until } from '../../../test/until.ts';
import { createClient, StoppedByIntervention } from '../src/index.ts';
import { libraries } from './install.ts';
import { LIBRARIES } from './libraries.ts';

/** The rule takes this number of calls alike for a loop, by default. */
const A_LOOP = 5;
const AT_MOST = 10;

const load = await libraries();
let service: ServiceProcess;
let account: Account;
let fake: FakeProvider;
beforeAll(async () => {
  if (load === null) return;
  fake = await startFakeProvider();
  service = createServiceProcess();
  await service.start();
  account = await createAccount(service);
  await arm();
}, 120_000);
/** The rule that a new account gets, a moment after it came, only watches until somebody arms it. */
async function arm(): Promise<void> {
  const rule = await until('the rule about loops', async () => {
    const found = (await account.look(regeln.path)).json<ResponseOf<typeof regeln>>().regeln;
    return found.find(({ typ }) => typ === 'schleife_exakt');
  });
  const answer = await request(
    service.address() + regelAendern.path.replace('{regel_id}', rule?.regel_id ?? ''),
    {
      method: 'PUT',
      headers: { 'content-type': 'application/json', cookie: account.cookie },
      // The stand-in of the provider counts no more input however long the conversation is.
      body: JSON.stringify({
        stufe: 'anhalten',
        schattenbetrieb: false,
        parameter: { ohne_verlauf: A_LOOP },
      }),
    },
  );
  expect(answer.status).toBe(200);
}

afterAll(async () => {
  await fake?.stop();
  await service?.dispose();
});

test.skipIf(load === null).each(LIBRARIES.map((library) => [library.name, library] as const))(
  '%s',
  async (_name, library) => {
    const tag = crypto.randomUUID();
    const lauf_id = crypto.randomUUID();
    const zw = createClient({
      baseUrl: service.address(),
      key: account.key,
      guard: { firstAnswerMs: 60_000 },
    });
    const program = await library.start(load as NonNullable<typeof load>, fake.url(tag, 'loop'), zw);
    const isKnown = () => zw.guardState().eingriffe.some(({ objekt }) => objekt === lauf_id);
    const failure = await zw.run({ agent: `matrix/${library.name}`, lauf_id }, async () => {
      for (let calls = 1; calls <= AT_MOST; calls += 1) {
        try {
          await program.tool();
        } catch (error) {
          return error;
        }
        await zw.flush();
        if (calls === A_LOOP) await expect.poll(isKnown).toBe(true);
      }
      return null;
    });
    expect(failure).toBeInstanceOf(StoppedByIntervention);
    expect(fake.truth(tag)).toHaveLength(A_LOOP);
    expect((await account.lauf(lauf_id)).ereignisse.map(({ schritt_nr }) => schritt_nr)).toEqual([
      1, 2, 3, 4, 5,
    ]);
    await zw.shutdown();
  },
);
