/**
 * Every operation of the contract gets the dearest requests that its schemas allow, plain and packed, and those that have been dear
 * elsewhere; none is too much. What they cost the event loop follows from the bytes that were sent, whatever they say: `npm run bench:work`
 * measures that on a machine that does nothing else.
 */
import { gzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CPU_OF_A_CALL, CPU_OF_A_REPORT, type Operation } from '#contracts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { isWhole } from '#test/depth.ts';
import { declared } from '#test/operations.ts';
import { startService, type TestService } from '#test/service.ts';
import { FILLERS, worstRequests } from '#test/worst-requests.ts';

/** Whether CPU time is held against the bytes. */
const measures = process.env.ZW_MEASURE === '1';
/** Milliseconds of CPU time of the event loop that a request may cost here beside what its operation declares, and that each of its bytes may add, as it was sent. */
const ANY = 100;
const PER_BYTE = 0.000_2;
/** The least of several is what it costs when nothing else comes in between: compiling, collecting garbage. */
const TRIES = 4;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

interface Sender {
  account: Account;
  secret: string;
}

async function createSender(): Promise<Sender> {
  const account = await registerAccount(service);
  await service.sql('INSERT INTO betreiber (mandant_id, benutzer_id) VALUES ($1, $2)', [
    account.mandantId,
    account.benutzerId,
  ]);
  return { account, secret: (await createKey(service, account)).secret };
}

const proofOf = ({ access }: Operation, { account, secret }: Sender): Record<string, string> => {
  if (access.kind === 'public') return {};
  return access.kind === 'session' || access.kind === 'operator'
    ? { cookie: account.cookie }
    : { authorization: `Bearer ${secret}` };
};

/** What one costs, as the main thread counts it, and how it was answered. */
async function costOf(options: InjectOptions): Promise<{ cpu: number; status: number; code: unknown }> {
  const before = process.threadCpuUsage();
  const answer = await service.app.inject(options);
  const { user, system } = process.threadCpuUsage(before);
  const code = answer.statusCode === 429 ? answer.json().code : null;
  return { cpu: (user + system) / 1_000, status: answer.statusCode, code };
}

let network = 0;
/** Each from a network of its own. */
const nextAddress = () => {
  network += 1;
  return `10.${(network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}`;
};

/** Somebody who sends; another one once the budget is used up, since a refusal says nothing of what a request costs. */
interface Senders {
  now: Sender;
}

/** Fails where a request is too much, or costs more than its bytes are worth each time it is tried; the status it was answered with. */
async function hold(
  senders: Senders,
  optionsOf: (sender: Sender) => InjectOptions,
  what: string,
  cpu = CPU_OF_A_CALL,
): Promise<number> {
  const options = optionsOf(senders.now);
  const payload = options.payload as string | Buffer | undefined;
  const bytes = Buffer.byteLength(payload ?? '') + String(options.url).length;
  // Archives are bounded by their places; of an empty account they are none.
  const most = ANY + Math.min(cpu, CPU_OF_A_REPORT) + PER_BYTE * bytes;
  const costs: number[] = [];
  for (let run = 0; run < TRIES; run += 1) {
    const {
      cpu: cost,
      status,
      code,
    } = await costOf({ ...optionsOf(senders.now), remoteAddress: nextAddress() });
    expect(status, what).toBeLessThan(500);
    if (code === 'rechenzeit_verbraucht') senders.now = await createSender();
    else if (!measures || cost <= most) return status;
    else costs.push(cost);
  }
  expect.fail(`${what}: ${bytes} bytes, ${costs.map(Math.round)} ms, ${Math.round(most)} at most`);
}

/** As bytes of a body that came in, and packed. */
const bothWays = (body: string): [string, string | Buffer, Record<string, string>][] => [
  ['plain', body, {}],
  ['packed', gzipSync(body), { 'content-encoding': 'gzip' }],
];

const MEBIBYTE = 1024 * 1024;
/** Larger bodies than 64 KiB. */
const LIMITS: Record<string, number> = {
  'abgleich.nutzung_vergleichen': 4 * MEBIBYTE,
  'betreiber.kurse_einlesen': 5.5 * MEBIBYTE,
  'buchung.zahlung_empfangen': MEBIBYTE / 2,
  'ereignisse.annehmen': 10 * MEBIBYTE,
  'preise.einlesen': 4 * MEBIBYTE,
  'weiterbelastung.endkunden_einlesen': 4 * MEBIBYTE,
};

/** Two for each operation, others for the next one; all of them in the whole suite: they take many minutes of CPU time. */
const fillersOf = (index: number): readonly string[] =>
  isWhole ? FILLERS : [index, index + 5].map((place) => FILLERS[place % FILLERS.length] as string);

describe('the dearest that its schemas allow', () => {
  test.each(declared.map((operation, index) => [operation.id, operation, fillersOf(index)] as const))(
    '%s',
    async (id, operation, fillers) => {
      const senders = { now: await createSender() };
      for (const { filler, url, body } of worstRequests(operation, LIMITS[id] ?? 64 * 1024, fillers)) {
        const what = `${id} of ${JSON.stringify(filler)}`;
        const optionsOf = (sender: Sender) => ({
          method: operation.method,
          url,
          headers: proofOf(operation, sender),
        });
        if (body === null) await hold(senders, optionsOf, what, operation.cpu);
        else
          for (const [way, payload, headers] of bothWays(body))
            await hold(
              senders,
              (sender) => ({
                ...optionsOf(sender),
                payload,
                headers: { ...proofOf(operation, sender), ...headers, 'content-type': 'application/json' },
              }),
              `${what}, ${way}`,
              operation.cpu,
            );
      }
    },
  );
});

const post = async (url: string, body: object, what: string, sender?: Sender) => {
  const senders = { now: sender ?? (await createSender()) };
  const statuses: number[] = [];
  for (const [way, payload, headers] of bothWays(JSON.stringify(body)))
    statuses.push(
      await hold(
        senders,
        ({ account: { cookie } }) => ({
          method: 'POST',
          url,
          payload,
          headers: { cookie, 'content-type': 'application/json', ...headers },
        }),
        `${what}, ${way}`,
      ),
    );
  return statuses;
};

describe('a file of', () => {
  const USAGE = 'start_time,amount_value,amount_currency,line_item';
  test.each([
    ['a million columns', ';'.repeat(990_000)],
    ['a million names in the head', 'a;'.repeat(490_000)],
    ['a million lines', 'a\n'.repeat(490_000)],
    ['a million empty lines', '\n'.repeat(990_000)],
    ['lines of nothing but separators', 'referenz;modell\n'.padEnd(990_000, ';\n')],
    ['one cell', 'x'.repeat(990_000)],
    ['an open quote', `referenz;modell\n"${'x'.repeat(980_000)}`],
    ['quotes', `referenz;modell\n${'""'.repeat(480_000)}`],
    ['blanks', `referenz;modell\n${' '.repeat(980_000)}`],
    ['faults in each cell', `modell;eingabe\n${'x;x\n'.repeat(900)}`],
    ['amounts', `${USAGE}\n${'1790812800,1,usd,gpt-4o\n'.repeat(40_000)}`],
  ])('%s', async (what, csv) => {
    await post('/v1/cockpit/endkunden/csv', { csv, probe: true }, what);
    await post('/v1/cockpit/preise/csv', { csv, fassung: 0, probe: true }, what);
    await post('/v1/cockpit/abgleich/nutzung', { csv, monat: '2026-10' }, what);
  });
});

test('a file that is refused is answered in short: a hundred faults, how many more there are, the beginning of each text', async () => {
  const { account } = await createSender();
  const read = async (csv: string) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/endkunden/csv',
      headers: { cookie: account.cookie, 'content-type': 'application/json', 'accept-language': 'en' },
      payload: { csv },
    });
    expect(answer.statusCode).toBe(422);
    return answer.json().detail as {
      type: string;
      loc: unknown[];
      msg: string;
      input?: string;
      ctx?: object;
    }[];
  };
  const many = await read(
    `referenz;aufschlag\n${Array.from({ length: 900 }, (_, n) => `r${n};x`).join('\n')}`,
  );
  expect(many).toHaveLength(101);
  expect(many[99]).toMatchObject({
    type: 'value_error',
    loc: ['body', 'csv', 101, 'aufschlag_prozent'],
    input: 'x',
  });
  expect(many[100]).toEqual({
    type: 'more_faults',
    loc: ['body', 'csv'],
    msg: '… and 800 more faults',
    ctx: { more: 800 },
  });
  const [long] = await read(`referenz\n${'x'.repeat(50_000)}\n`);
  expect(long?.input).toBe(`${'x'.repeat(200)}…`);
});

describe('a price book of patterns', () => {
  test('that fit, all at some time', async () => {
    const sender = await createSender();
    const put = (entries: number, stars: number) => {
      const lines = Array.from(
        { length: entries },
        (_, n) => `${'*a'.repeat(stars - 1)}${'a'.repeat(n % (200 - 2 * stars))}*;t${n};2026-01-01;1\n`,
      );
      return service.app.inject({
        method: 'POST',
        url: '/v1/cockpit/preise/csv',
        headers: { cookie: sender.account.cookie, 'content-type': 'application/json' },
        payload: { fassung: 0, csv: `modell;preisstufe;gilt_ab;aufruf\n${lines.join('')}` },
      });
    };
    // As many as an operation takes, if it took them.
    if ((await put(1_000, 95)).statusCode !== 200) expect((await put(200, 8)).statusCode).toBe(200);
    for (const letter of ['a', 'b', '*'])
      expect(
        await post(
          '/v1/cockpit/preise/nachschlagen',
          {
            modelle: Array.from({ length: 200 }, (_, n) => ({
              modell: letter.repeat(190) + String(n).padStart(4, '0') + letter.repeat(6),
            })),
          },
          `names of ${letter}`,
          sender,
        ),
      ).toEqual([200, 200]);
  });

  test('is refused where it has too many, or patterns too many asterisks', async () => {
    const { account } = await createSender();
    const put = (preise: object[]) =>
      service.app.inject({
        method: 'PUT',
        url: '/v1/cockpit/preise',
        headers: { cookie: account.cookie, 'content-type': 'application/json' },
        payload: { fassung: 0, preise },
      });
    const price = (modell: string) => ({ modell, saetze: { eingabe: '1', ausgabe: '1' } });
    const many = await put(Array.from({ length: 201 }, (_, n) => price(`m${n}*`)));
    expect(many.statusCode).toBe(422);
    expect(many.json().detail).toMatchObject([{ loc: ['body', 'preise', 200, 'modell'] }]);
    const starred = await put([price('*a'.repeat(9))]);
    expect(starred.statusCode).toBe(422);
    expect(starred.json().detail).toMatchObject([{ loc: ['body', 'preise', 0, 'modell'] }]);
  });
});
