import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const read = (headers = {}) => service.app.inject({ url: '/v1/cockpit/anbindung/quellen', headers });

async function sourcesOf({ cookie }: Account) {
  const answer = await read({ cookie });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().quellen;
}

async function send(secret: string, ereignisse: object[]) {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse },
  });
  expect(answer.statusCode, answer.body).toBe(202);
}

const CALL = { anbieter: 'openai', modell: 'gpt-4o-mini', eingabe_token: 1_000_000, ausgabe_token: 10 };
const DAY = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const by = (bibliothek: unknown, bibliothek_version: unknown = '1.0') => ({
  quelle: 'otlp',
  zusatz: { bibliothek, bibliothek_version },
});

describe('GET /v1/cockpit/anbindung/quellen', () => {
  it('has nothing of a new Mandant', async () => {
    expect(await sourcesOf(account)).toEqual([]);
  });

  it('says by key and library what the latest calls lack', async () => {
    const sender = await registerAccount(service);
    const [first, second] = [await createKey(service, sender), await createKey(service, sender)];
    const times = [ago(60_000), ago(120_000), ago(180_000)];
    const whole = {
      agent: 'bot',
      lauf_id: '11111111-1111-4111-8111-111111111111',
      prompt_fingerabdruck: '00ff00ff00ff00ff',
      endkunde_ref: 'k-1',
    };
    await send(first.secret, [
      { ...CALL, ...whole, ...by('openai_v2'), cache_lese_token: null, zeitpunkt: times[1] },
      { ...CALL, ...by('openai_v2'), cache_lese_token: 7, zeitpunkt: times[2] },
      { ...CALL, ...by('openai_v2'), eingabe_token: null, ausgabe_token: null, zeitpunkt: times[2] },
      // What failed has nothing to say.
      {
        ...CALL,
        ...whole,
        ...by('openai_v2'),
        status: 'fehler',
        cache_lese_token: null,
        zeitpunkt: times[2],
      },
      // Of no day that is looked at.
      { ...CALL, ...by('openai_v2'), zeitpunkt: ago(31 * DAY) },
    ]);
    await send(second.secret, [{ ...CALL, ...whole, zeitpunkt: times[0] }]);
    await countAll(service);
    const [event] = await service.sql<{ eur: string }>(
      `SELECT trim_scale(sum(kosten_eur))::text AS eur FROM ereignisse WHERE mandant_id = $1 AND schluessel_id = $2 AND zeitpunkt > $3`,
      [sender.mandantId, first.schluesselId, ago(DAY)],
    );
    expect(await sourcesOf(sender)).toEqual([
      expect.objectContaining({
        schluessel_id: second.schluesselId,
        quelle: 'ingest',
        bibliothek: '',
        version: '',
        letzter_aufruf_am: times[0],
        aufrufe: 1,
        luecken: expect.objectContaining({ aufrufe: 1, ohne_lauf: 0, ohne_cache: 0 }),
      }),
      {
        schluessel_id: first.schluesselId,
        schluessel_name: expect.any(String),
        quelle: 'otlp',
        bibliothek: 'openai_v2',
        version: '1.0',
        letzter_aufruf_am: times[1],
        aufrufe: 4,
        unbepreist: 1,
        kosten_eur: event?.eur,
        abo_aufrufe: 0,
        abo_kosten_eur: null,
        luecken: {
          aufrufe: 4,
          ohne_lauf: 2,
          ohne_agent: 2,
          ohne_endkunde: 2,
          ohne_fingerabdruck: 2,
          ohne_cache: 1,
          ohne_token: 1,
        },
      },
    ]);
  });

  it('keeps few of the names that a sender invents, and all of their calls', async () => {
    const sender = await registerAccount(service);
    const { secret } = await createKey(service, sender);
    const invented = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...CALL,
        ...by(`name-${from + index}`),
        zeitpunkt: ago(60_000),
      }));
    for (let from = 0; from < 3_000; from += 500) await send(secret, invented(from, 500));
    await countAll(service);
    // A known one still has its own row, in a transaction of its own as well.
    await send(secret, [...invented(0, 1), ...invented(9_000, 1)]);
    await countAll(service);
    const found = await sourcesOf(sender);
    expect(found).toHaveLength(65);
    const total = found.reduce((sum: number, { aufrufe }: { aufrufe: number }) => sum + aufrufe, 0);
    expect(total).toBe(3_002);
    const named = (name: string) =>
      found.find(({ bibliothek }: { bibliothek: string }) => bibliothek === name);
    expect(named('name-0').aufrufe).toBe(2);
    expect(named('')).toMatchObject({ quelle: '', version: '', aufrufe: 3_002 - 65 });
    const [rows] = await service.sql(
      'SELECT count(*)::int AS n FROM verbrauch_quellen WHERE mandant_id = $1',
      [sender.mandantId],
    );
    expect(rows).toEqual({ n: 65 });
  });

  it('takes names as they come: long, with what no column holds, or none', async () => {
    const sender = await registerAccount(service);
    const { secret } = await createKey(service, sender);
    const names = ['a\u0007b\n"c', '😀'.repeat(150), 7, null];
    await send(
      secret,
      names.map((name) => ({ ...CALL, ...by(name, { no: 'text' }), zeitpunkt: ago(60_000) })),
    );
    await countAll(service);
    const found = (await sourcesOf(sender)).map(({ bibliothek }: { bibliothek: string }) => bibliothek);
    expect(found.sort()).toEqual(['', 'ab"c', '😀'.repeat(100)].sort());
  });

  it('names what a subscription pays for, which is of no end customer', async () => {
    const sender = await registerAccount(service);
    const { secret } = await createKey(service, sender);
    const abo = { zusatz: { abonnement: true, bibliothek: 'coding' } };
    const call = { ...CALL, ...abo, endkunde_ref: 'k-1', zeitpunkt: ago(60_000) };
    // Nobody's on purpose lacks nothing.
    await send(secret, [call, { ...call, zusatz: { bibliothek: 'coding' } }]);
    await countAll(service);
    const [source] = await sourcesOf(sender);
    expect(source).toMatchObject({ aufrufe: 2, abo_aufrufe: 1, luecken: { ohne_endkunde: 0 } });
    expect(Number(source.abo_kosten_eur) * 2).toBeCloseTo(Number(source.kosten_eur), 10);
    const page = await service.app.inject({
      url: '/v1/cockpit/anbindung',
      headers: { cookie: sender.cookie },
    });
    expect(page.json().luecken).toMatchObject({ aufrufe: 2, ohne_endkunde: 0 });
  });

  it('is open to every role, keys by name only to those who see keys, and to nobody without a session', async () => {
    const sender = await registerAccount(service);
    const { secret } = await createKey(service, sender);
    await send(secret, [{ ...CALL, zeitpunkt: ago(60_000) }]);
    await countAll(service);
    const names: Record<string, unknown> = {};
    const statuses = await statusByRole(service, sender, async ({ cookie }, role) => {
      const answer = await read({ cookie });
      names[role] = answer.json().quellen[0].schluessel_name;
      return answer;
    });
    expect(statuses).toEqual(admitting(EVERYBODY));
    expect(names.inhaber).toEqual(expect.any(String));
    expect(names.betrachter).toBeNull();
    expect((await read()).statusCode).toBe(401);
    expect((await read({ authorization: `Bearer ${secret}` })).statusCode).toBe(401);
    // Nothing of it is another Mandant's.
    expect(await sourcesOf(account)).toEqual([]);
  });
});
