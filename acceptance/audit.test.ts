/** Every change is in the audit log, once, with who, what and from where; and nothing else is. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, PASSWORT, registerAccount } from '#test/account.ts';
import { CHANGES, perform, WITHOUT_ENTRY } from '#test/changes.ts';
import { type Described, operationsOf } from '#test/operations.ts';
import { type PaymentProvider, startPaymentProvider } from '#test/payment-provider.ts';
import { startService, type TestService } from '#test/service.ts';
import { protokoll } from '../cockpit/src/i18n/de/protokoll.ts';
import { protokoll as english } from '../cockpit/src/i18n/en/protokoll.ts';

let payment: PaymentProvider;
let service: TestService;
let described: Described[];

beforeAll(async () => {
  payment = await startPaymentProvider();
  service = await startService({ ...payment.env, SMTP_URL: 'smtp://127.0.0.1:1' });
  described = await operationsOf(service);
});
afterAll(async () => {
  await service?.stop();
  await payment?.stop();
});

interface Entry {
  eintrag_id: string;
  akteur_art: string;
  akteur_id: string | null;
  aktion: string;
  adresse: string | null;
  objekt_art: string;
  vorher: object | null;
  nachher: object | null;
  /** The whole entry. */
  text: string;
}
const entriesOf = (mandantId: string) =>
  service.sql<Entry & Record<string, unknown>>(
    `SELECT eintrag_id, akteur_art, akteur_id, aktion, adresse, objekt_art, vorher, nachher, p::text AS text FROM pruefprotokoll p
     WHERE mandant_id = $1 ORDER BY eintrag_id`,
    [mandantId],
  );

/** Files that leave are noted. */
const FILES = ['abrechnung_pdf', 'abrechnungen_zip', 'ausgeben', 'focus'].map(
  (name) => `weiterbelastung.${name}`,
);
const isChanging = ({ id, operation }: Described) =>
  operation.method !== 'GET' || ['export.alles', ...FILES].includes(id);
const mandantOf = (body: string, account: Account): string =>
  (JSON.parse(body) as { mandant?: { mandant_id: string } }).mandant?.mandant_id ?? account.mandantId;

test('every operation that changes something is known here', () => {
  const known = [...Object.keys(CHANGES), ...Object.keys(WITHOUT_ENTRY)];
  expect(
    described
      .filter(isChanging)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(known.sort());
});

test.each(Object.entries(CHANGES))('%s leaves one entry', async (id, prepare) => {
  const { operation } = described.find((one) => one.id === id) as Described;
  const world = { service, payment, account: await registerAccount(service) };
  const sent = await prepare(world);
  const before = await entriesOf(world.account.mandantId);
  const answer = await perform(world, operation, sent);
  expect(answer.statusCode, answer.body).toBe(operation.status ?? 200);

  const mandantId = operation.media ? world.account.mandantId : mandantOf(answer.body, world.account);
  const founded = mandantId !== world.account.mandantId;
  const entries = (await entriesOf(mandantId)).slice(founded ? 0 : before.length);
  expect(entries.map(({ aktion }) => aktion)).toHaveLength(1);
  const entry = entries[0] as Entry;
  expect(entry.aktion).toMatch(/^[a-z_]+\.[a-z_]+$/);
  if ('cookie' in (sent.headers ?? { cookie: '' })) {
    // Whom the operator employs is not the Mandant's to know; the operator log says it.
    const isOperators = operation.access.kind === 'operator';
    expect(entry.akteur_id).toBe(isOperators ? null : world.account.benutzerId);
    expect(entry.adresse).toBe(isOperators ? null : '127.0.0.1');
  }
  expect(entry.text).not.toMatch(new RegExp(`${PASSWORT}|kanarienvogel`));
  expect(unnamedIn(entry)).toEqual([]);
});

/** What of an entry people would read as code. */
function unnamedIn({ aktion, objekt_art, vorher, nachher }: Entry): string[] {
  const fields = Object.keys({ ...vorher, ...nachher });
  return [protokoll, english].flatMap((texts) => [
    ...(Object.hasOwn(texts.action, aktion) ? [] : [aktion]),
    ...(Object.hasOwn(texts.kind, objekt_art) ? [] : [objekt_art]),
    ...fields.filter((field) => !Object.hasOwn(texts.field, field)),
  ]);
}

test('reading leaves none', async () => {
  const account = await registerAccount(service);
  const before = await entriesOf(account.mandantId);
  const reading = described.filter(
    ({ operation }) => operation.method === 'GET' && !operation.path.includes('{'),
  );
  for (const { id, operation } of reading.filter((one) => !isChanging(one))) {
    const headers = { cookie: account.cookie };
    const answer = await service.app.inject({ method: 'GET', url: operation.path, headers });
    expect(answer.statusCode, id).toBeLessThan(500);
  }
  expect(await entriesOf(account.mandantId)).toEqual(before);
});

test('entries can be neither changed nor removed by a request', async () => {
  const { mandantId } = await registerAccount(service);
  for (const statement of ['UPDATE pruefprotokoll SET aktion = aktion', 'DELETE FROM pruefprotokoll']) {
    const attempt = service.context.db.transaction(async (client) => {
      await client.query(`SET LOCAL zw.mandant = '${mandantId}'`);
      return client.query(statement);
    });
    await expect(attempt).rejects.toMatchObject({ code: '42501' });
  }
});
