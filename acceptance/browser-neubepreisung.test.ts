/** Pricing past calls anew in a browser: what would change, the change itself, its end before that, what was done before. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, call, shareCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { type Account, createAccount, request } from '#test/outside-account.ts';
import { until } from '#test/until.ts';

/** In `npm test`: a preview, and the change itself. The rest is covered there by `neubepreisung/repricing-page` without a browser, and the routes. */
const whole = test.runIf(isWhole);

const PAGE = '/preise/neubepreisung';
const API = '/v1/cockpit/preise/neubepreisungen';
const AGENT = 'vertrieb/lead-bewertung';
/** A model no list has a price of, at 2 USD a call by the first edition and without a price by the others. */
const OWN_MODEL = 'haus-modell-1';

let cockpit: Cockpit;
let account: Account;
let edition = 0;

const price = (modell: string, eingabe: string, ausgabe: string) => ({
  modell,
  saetze: { eingabe, ausgabe },
});

/** Makes a new edition of the price book. */
async function setPrices(...preise: object[]): Promise<void> {
  const answer = await request(`${cockpit.address}/v1/cockpit/preise`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', cookie: account.cookie },
    body: JSON.stringify({ fassung: edition, preise }),
  });
  expect(answer.status, answer.text).toBe(200);
  edition += 1;
}

const sums = async () => (await account.verbrauch()).summe;

beforeAll(async () => {
  cockpit = await shareCockpit();
  account = await createAccount({ address: () => cockpit.address } as never);
  await setPrices(price(OWN_MODEL, '1', '1'));
  const ours = { ...call, agent: AGENT };
  await account.send([ours, ours, ours, { ...ours, modell: OWN_MODEL }, { ...ours, modell: OWN_MODEL }]);
  await account.untilCounted(5);
});
afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, { cookie: account.cookie, bypassCSP: true, ...options });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

/** Has a preview of this month worked out in the browser. */
async function prepare(page: Page): Promise<void> {
  await page.goto(PAGE);
  await button(page, 'Vorschau rechnen').click();
  await page.waitForURL(`**${PAGE}/*`);
}

whole('before the first one the page says what it is for', async () => {
  const now = await visit({ cookie: cockpit.cookie });
  await now.page.goto(PAGE);
  await now.page.getByText('Noch nichts neu bepreist').waitFor();
  await checkInBothThemes(now.page, PAGE);
  await checkOnPhone(now.page, PAGE);
  await leave(now);
});

test('a preview changes nothing and says what would; applied, the sums are those it announced', async () => {
  const before = await sums();
  // The listed model from 0.75 to 1.500123 USD a call, the own one without a price again.
  await setPrices(price('gpt-4o-mini', '0.500123', '1'));
  const now = await visit();
  const { page } = now;
  await prepare(page);
  await page.getByText('Noch ist nichts geändert.').waitFor();
  const main = page.getByRole('main');
  for (const text of ['6,25 $', '4,50 $', 'günstiger', '2 Aufrufe verlieren ihren Preis'])
    await main.getByText(text).first().waitFor();
  const row = page.getByRole('row').filter({ hasText: AGENT });
  expect(await row.textContent()).toMatch(/5.*\+2.*6,25.\$.*4,50.\$.*−\d,\d\d.€/);
  // Every digit of what the cell shows in two decimals.
  expect(await row.getByTitle('4,500369').textContent()).toBe('4,50\u00a0$');
  expect(await sums()).toEqual(before);
  await checkInBothThemes(page, 'preview');
  await checkOnPhone(page, 'preview');
  await button(page, 'Anwenden').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/5 Aufrufe bekommen einen anderen Preis: zusammen 4,50.\$ statt 6,25.\$/).waitFor();
  await dialog.getByText(/Ihre Kosten sinken um \d,\d\d.€/).waitFor();
  await checkInBothThemes(page, 'dialog');
  await dialog.getByRole('button', { name: 'Anwenden' }).click();
  await page.getByText('Angewendet: 5 Aufrufe haben einen anderen Preis als zuvor.').waitFor();
  const after = await sums();
  expect(after.unbepreist).toBe(before.unbepreist + 2);
  // At one rate.
  expect(Number(after.kosten_eur) / Number(before.kosten_eur)).toBeCloseTo(4.500369 / 6.25, 9);
  await row.waitFor();
  await button(page, 'Anwenden').waitFor({ state: 'detached' });
  await leave(now);
});

whole('what has the prices of today already stays as it is, and what was done is on record', async () => {
  const now = await visit();
  const { page } = now;
  await prepare(page);
  await page.getByRole('heading', { name: 'Nichts ändert sich' }).waitFor();
  await page.getByText('Alle 5 Aufrufe dieser Tage kosten').waitFor();
  expect(await button(page, 'Anwenden').count()).toBe(0);
  await page.getByRole('link', { name: 'Alle Neubepreisungen' }).click();
  const done = page.getByRole('row').filter({ hasText: 'angewendet' });
  expect(await done.textContent()).toMatch(/@example\.org.*5.*−\d,\d\d.€/);
  await page.getByText('wird durch die neue ersetzt').waitFor();
  await checkInBothThemes(page, PAGE);
  await checkOnPhone(page, PAGE);
  await done.getByRole('link').click();
  await page.getByRole('row').filter({ hasText: AGENT }).waitFor();
  await page.getByText('Preisbuch, Fassung 2').waitFor();
  await leave(now);
});

whole('prices that changed since the preview are not applied: it is worked out anew', async () => {
  await setPrices(price('gpt-4o-mini', '1', '1'));
  const now = await visit();
  const { page } = now;
  await prepare(page);
  await page.getByText('Noch ist nichts geändert.').waitFor();
  const outdated = idOf(page);
  await setPrices(price('gpt-4o-mini', '2', '2'));
  await button(page, 'Anwenden').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Anwenden' }).click();
  await dialog.getByText('Die Preise haben sich seit der Vorschau geändert.').waitFor();
  await dialog.getByRole('button', { name: 'Neue Vorschau rechnen' }).click();
  await until('another preview to be shown', () => idOf(page) !== outdated);
  await page
    .getByText(/12,00.\$/)
    .first()
    .waitFor();
  await page.getByText('teurer', { exact: true }).first().waitFor();
  await button(page, 'Verwerfen').click();
  await page.getByText('Von Hand abgebrochen. Es hat sich nichts geändert.').waitFor();
  await leave(now, [`409 ${API}/${outdated}/anwenden`]);
});

interface Put {
  status: string;
  grund?: string;
  /** Of how many agents calls have changed; of none: it was not applied. */
  agents?: number;
}

/** Puts a repricing in that nobody works on: it stays where it is. */
async function put({ status, grund, agents = 0 }: Put): Promise<string> {
  const [row] = await cockpit.sql<{ id: string }>(
    `INSERT INTO neubepreisungen (mandant_id, neubepreisung_id, status, grund, von, bis, zeitzone, fassung, ereignisse, gelesen,
       angelegt_am, angelegt_von, angewendet_am, angewendet_von)
     SELECT $1, uuidv7(), $2, $3, current_date - 40, current_date, 'Europe/Berlin', $4, 1000, 250, now(), 'anna@muster.example',
       CASE WHEN $5 THEN now() END, 'anna@muster.example' RETURNING neubepreisung_id AS id`,
    [account.mandantId, status, grund ?? null, edition, agents > 0],
  );
  await cockpit.sql(
    `INSERT INTO neubepreisung_zeilen SELECT $1, $2, date '2026-09-01', 'agent-' || lpad(n::text, 4, '0'), 1, 2, 1, -n, 0
     FROM generate_series(1, $3) n`,
    [account.mandantId, row?.id, agents],
  );
  return row?.id ?? '';
}

whole('while somebody else has one worked out there is no second; it is looked at, and ended', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(PAGE);
  await button(page, 'Vorschau rechnen').waitFor();
  await put({ status: 'vorschau' });
  await button(page, 'Vorschau rechnen').click();
  await page.getByText(/Gerade wird eine Vorschau gerechnet/).waitFor();
  await page.getByRole('link', { name: 'Ansehen' }).click();
  await page.getByText('250 von 1.000 Aufrufen angesehen').waitFor();
  expect(await page.getByRole('progressbar').getAttribute('value')).toBe('0.25');
  await checkInBothThemes(page, 'under way');
  await button(page, 'Abbrechen').click();
  await page.getByText('Von Hand abgebrochen. Es hat sich nichts geändert.').waitFor();
  await leave(now, [`409 ${API}`]);
});

whole('a change that runs is ended after saying what stays', async () => {
  const id = await put({ status: 'laeuft', agents: 1 });
  const now = await visit();
  const { page } = now;
  await page.goto(`${PAGE}/${id}`);
  await page.getByText('Bisher geändert').waitFor();
  await button(page, 'Abbrechen').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('behalten den neuen Preis; die übrigen behalten ihren alten').waitFor();
  await checkOnPhone(page, 'ending');
  await dialog.getByRole('button', { name: 'Abbrechen' }).click();
  await page.getByText('Was bis dahin geändert war (unten), bleibt').waitFor();
  await leave(now);
});

whole.each([
  [
    { status: 'abgebrochen', grund: 'preise_geaendert' },
    /das Preisbuch inzwischen geändert hat. Es hat sich nichts/,
  ],
  [{ status: 'abgebrochen', grund: 'preise_geaendert', agents: 1 }, /inzwischen geändert hat. Was bis dahin/],
  [{ status: 'fehlgeschlagen', agents: 1 }, /Ein Fehler des Dienstes hat .* beendet. Was bis dahin/],
])('what ended early says why, and what became of the calls: %j', async (ended, text) => {
  const id = await put(ended);
  const now = await visit();
  await now.page.goto(`${PAGE}/${id}`);
  await now.page.getByText(text).waitFor();
  await button(now.page, 'Neue Vorschau rechnen').waitFor();
  await checkInBothThemes(now.page, ended.status);
  await leave(now);
});

whole('more agents than an answer holds are read on, and sorted by what changes for them', async () => {
  const id = await put({ status: 'fertig', agents: 1001 });
  const now = await visit();
  const { page } = now;
  await page.goto(`${PAGE}/${id}`);
  await page.getByText('1.000 geladen, es gibt weitere.').waitFor();
  await button(page, 'Mehr laden').click();
  await page.getByRole('row').filter({ hasText: 'agent-1001' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(1 + 1001);
  await button(page, 'Unterschied').click();
  await button(page, 'Unterschied').click();
  await until('the largest change to come first', async () =>
    (await page.getByRole('row').nth(1).textContent())?.includes('agent-1001'),
  );
  await leave(now);
});

whole('who may only look sees what was done and no button that changes anything', async () => {
  const now = await visit();
  await now.context.route('**/v1/ich', async (route) => {
    const answer = await route.fetch();
    const ich = await answer.json();
    await route.fulfill({ response: answer, json: { ...ich, rechte: ['selbst', 'konto.lesen'] } });
  });
  const { page } = now;
  await page.goto(PAGE);
  const done = page.getByRole('row').filter({ hasText: 'angewendet' }).last();
  await done.waitFor();
  expect(await button(page, 'Vorschau rechnen').count()).toBe(0);
  await done.getByRole('link').click();
  await page.getByRole('row').filter({ hasText: AGENT }).waitFor();
  for (const name of ['Anwenden', 'Verwerfen', 'Abbrechen', 'Neue Vorschau rechnen'])
    expect(await button(page, name).count(), name).toBe(0);
  await leave(now);
});
