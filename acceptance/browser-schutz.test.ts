/** Protection in a browser: from a finding to the steps of the run, by hand and by rules, until the incident is closed. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { befundeListe, ResponseOf, regeln as regelnListe } from '#contracts';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, fitPhone, goTo, heading, type Sight, shareCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { type Account, createAccount, request } from '#test/outside-account.ts';
import { until } from '#test/until.ts';

/**
 * In `npm test`: what each page is for. The rest is covered there without a browser: what of a form is sent by `regeln/draft`, the backtest by `detektoren`, who may only
 * look by `app/readers`, axe by `app/pages`.
 */
const whole = test.runIf(isWhole);

/** Steps before the loop, and of the loop. */
const [BEFORE, LOOP] = [70, 8];
const AGENT = 'entwicklung/test-schreiber';
const RUN = randomUUID();

let cockpit: Cockpit;
let account: Account;
let finding: string;

function events() {
  const begin = Date.now() - 200_000;
  return Array.from({ length: BEFORE + LOOP }, (_, n) => ({
    zeitpunkt: new Date(begin + n * 2_000).toISOString(),
    agent: AGENT,
    anbieter: 'openai',
    modell: 'gpt-4o',
    lauf_id: RUN,
    schritt_nr: n + 1,
    // Less than the limit a run has from the first day.
    eingabe_token: 20_000 + n,
    ausgabe_token: 1_000,
    latenz_ms: 900,
    werkzeug_fingerabdruck: '0000000000000001',
    prompt_fingerabdruck: n >= BEFORE ? '00112233445566aa' : n.toString(16).padStart(2, '0').repeat(8),
  }));
}

async function send(method: string, path: string, body: object): Promise<void> {
  const answer = await request(`${cockpit.address}${path}`, {
    method,
    headers: { 'content-type': 'application/json', cookie: account.cookie },
    body: JSON.stringify(body),
  });
  expect(answer.status, answer.text).toBeLessThan(300);
}

/** The rule against loops acts; the others watch, as they do at first. */
async function armLoops(): Promise<void> {
  const rules = () => account.look('/v1/cockpit/regeln');
  type Rules = ResponseOf<typeof regelnListe>;
  await until('the first rules to be there', async () =>
    (await rules()).json<Rules>().regeln.some(({ typ }) => typ === 'schleife_exakt'),
  );
  const found = (await rules()).json<Rules>().regeln.find(({ typ }) => typ === 'schleife_exakt');
  await send('PUT', `/v1/cockpit/regeln/${found?.regel_id}`, { schattenbetrieb: false });
}

async function findLoop(): Promise<string> {
  let found: string | undefined;
  await until('the loop to be found', async () => {
    const answer = await account.look('/v1/cockpit/befunde?typ=schleife_exakt');
    found = answer.json<ResponseOf<typeof befundeListe>>().befunde[0]?.befund_id;
    return found !== undefined;
  });
  return found as string;
}

beforeAll(async () => {
  cockpit = await shareCockpit();
  account = await createAccount({ address: () => cockpit.address } as never);
  await armLoops();
  await account.send(events());
  await account.untilCounted(events().length);
  finding = await findLoop();
});
afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, { cookie: account.cookie, ...options });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('from the overview to the incident, its finding, and the steps of the run', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/');
  await page.getByText('1 offener Vorfall').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Ansehen' }).click();
  await heading(page, 'Vorfälle').waitFor();
  // Whichever of its findings came last.
  await page
    .getByRole('main')
    .getByRole('link', { name: /chleife:/ })
    .click();
  await heading(page, 'Befunde').waitFor();
  await page.getByText('Gezeigt sind nur die Befunde eines Vorfalls.').waitFor();
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Schleife:/ })
    .click();
  await heading(page, `Schleife: ${AGENT} – Halt angeordnet`).waitFor();
  await page.getByText(/wiederholt 8-mal hintereinander denselben Aufruf/).waitFor();
  const steps = page.getByRole('definition').filter({ hasText: '71–78' });
  await steps.waitFor();
  await page.getByRole('link', { name: 'Lauf ansehen, Schritte markiert' }).click();
  await page.waitForURL((url) => url.searchParams.get('schritte') === '71-78');
  const marked = page.locator('main ol > li').filter({ hasText: 'vom Befund betroffen' });
  await until('the marked step to be in sight', async () => {
    const box = await marked.first().boundingBox();
    return box !== null && box.y > 0 && box.y < 800;
  });
  // On a phone the lines are higher than was thought before they were there.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await until('it to be in sight on a phone', async () => {
    const box = await marked.first().boundingBox();
    return box !== null && box.y > 0 && box.y < 780;
  });
  // They are alike and in a row: one line stands for all of them, and opened, each is marked.
  expect(await marked.count()).toBe(1);
  await marked.first().getByRole('button').click();
  await until('its steps to follow', async () => (await marked.count()) === 1 + LOOP);
  await leave(now);
});

test('what the rule has done stands on the pages of the run, and is lifted there', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/laeufe/${RUN}`);
  const notice = page.getByText(/Lauf .* von .* soll anhalten/);
  await notice.waitFor();
  await button(page, 'Aufheben').click();
  await page
    .getByRole('dialog')
    .getByText(/sofort wieder erlaubt/)
    .waitFor();
  await button(page, 'Aufheben').last().click();
  await notice.waitFor({ state: 'detached' });
  await leave(now);
});

test('a run is stopped and an agent blocked by hand, both are listed, and let go again', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/laeufe/${RUN}`);
  await button(page, 'Lauf anhalten').click();
  await page.getByLabel('Warum?').fill('Kundin bat darum');
  await page.getByRole('dialog').getByRole('button', { name: 'Lauf anhalten' }).click();
  await page.getByText(/soll anhalten, bis er aufgehoben wird: Kundin bat darum/).waitFor();
  await page.goto('/agenten');
  await page.getByRole('link', { name: AGENT }).click();
  await button(page, 'Drosseln/Sperren').click();
  await page.getByLabel('Was soll geschehen?').selectOption('sperren');
  await page.getByRole('dialog').getByRole('button', { name: 'Eingreifen' }).click();
  await page.getByText(`Agent ${AGENT} ist gesperrt`).waitFor();
  await page.goto('/eingriffe');
  const inForce = page.getByRole('region', { name: 'Jetzt in Kraft' });
  await inForce.getByText('Kundin bat darum').waitFor();
  expect(await inForce.getByRole('listitem').count()).toBe(2);
  for (const left of [1, 0]) {
    await inForce.getByRole('button', { name: 'Aufheben' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Aufheben' }).click();
    await dialog.waitFor({ state: 'detached' });
    await until('it to be lifted', async () => (await inForce.getByRole('listitem').count()) === left);
  }
  const over = page.getByRole('region', { name: 'Nicht mehr in Kraft, letzte 7 Tage' });
  // Beside what other rules have noted in shadow mode.
  const lifted = over.getByRole('listitem').filter({ hasText: 'aufgehoben am' });
  await until('all to be on record', async () => (await lifted.count()) === 3);
  await leave(now);
});

whole('what a rule would have done stands beside its form, for the threshold that stands there', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/regeln');
  await page.getByRole('link', { name: 'Neue Regel' }).click();
  const panel = page.getByRole('region', { name: 'Rückblick' });
  await panel.getByText('Sobald die Angaben der Regel vollständig sind').waitFor();
  await page.getByLabel('Art', { exact: true }).selectOption('schleife_exakt');
  await panel.getByText('Sie hätte in den letzten 30 Tagen einmal ausgelöst.').waitFor();
  await panel.getByText('In dieser Stufe hält sie nichts an.').waitFor();
  await page.getByLabel('Was dann geschieht').selectOption('anhalten');
  await panel.getByRole('link', { name: AGENT }).waitFor();
  await page.getByLabel('Schwelle').fill(String(LOOP + 1));
  await panel.getByText('Sie hätte in den letzten 30 Tagen nicht ausgelöst.').waitFor();
  await leave(now);
});

test('the protection and the budget of an agent are set on its page', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/agenten');
  await page.getByRole('link', { name: AGENT }).click();
  await page.waitForURL('**/agenten/*');
  const agentId = new URL(page.url()).pathname.split('/').at(-1);
  await button(page, 'Schutz').click();
  await page.getByLabel('Regeln gehen höchstens so weit').selectOption('warnen');
  await page.getByLabel('Ruhezeit').selectOption('Andere Dauer …');
  await page.getByLabel('Eigene Dauer').fill('bald');
  await button(page, 'Speichern').click();
  await page.getByText('Bitte eine Zahl angeben, zusammen höchstens 366 Tage.').waitFor();
  await page.getByLabel('Eigene Dauer').fill('2');
  await button(page, 'Speichern').click();
  await page.getByRole('main').getByText('2 Stunden').waitFor();
  await button(page, 'Budget').click();
  await page.getByLabel('Betrag in Euro je Monat').fill('1.000,50');
  await button(page, 'Speichern').click();
  await page.getByText('Budget gespeichert.').waitFor();
  await page.goto('/budgets');
  await page.getByText(/von 1\.000,50/).waitFor();
  await leave(now, [`422 /v1/cockpit/agenten/${agentId}/schutz`]);
});

test('a rule is refused at its field, created, armed and removed', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/regeln');
  await page.getByRole('link', { name: 'Neue Regel' }).click();
  await page.getByLabel('Art', { exact: true }).selectOption('kosten_grenze');
  await page.getByLabel('Name', { exact: true }).fill('Tagesgrenze');
  await page.getByLabel('Gilt für').selectOption('agent');
  await button(page, 'Regel anlegen').click();
  await page.getByText('Bitte ausfüllen.').waitFor();
  await page.getByText('Muss sagen, wofür die Regel gilt.').waitFor();
  await page.getByLabel('Welcher Agent?').fill(AGENT);
  await page.getByLabel('Schwelle').fill('12,50');
  await page.getByLabel('Was dann geschieht').selectOption('sperren');
  await button(page, 'Regel anlegen').click();
  await heading(page, 'Tagesgrenze').waitFor();
  await page.getByRole('main').getByText('Schattenbetrieb', { exact: true }).waitFor();
  await button(page, 'Scharf stellen').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Ein Alarm geht hinaus, alle Aufrufe des Agenten werden gesperrt.').waitFor();
  await dialog.getByText(`Die Regel gilt für Agent ${AGENT}.`).waitFor();
  await dialog.getByRole('button', { name: 'Scharf stellen' }).click();
  await page.getByRole('main').getByText('scharf', { exact: true }).waitFor();
  await page.getByLabel('Schwelle').fill('20');
  await button(page, 'Speichern').click();
  await page.getByText('Regel gespeichert. Sie gilt ab sofort.').waitFor();
  await page.goto('/regeln');
  const row = page.getByRole('row').filter({ hasText: 'Tagesgrenze' });
  expect(await row.textContent()).toMatch(/20,00.€.*Kalendertag.*sperren.*scharf/);
  await row.getByRole('link').click();
  await button(page, 'Löschen').click();
  await dialog.getByRole('button', { name: 'Löschen' }).click();
  await page.getByText('Regel gelöscht.').waitFor();
  await row.waitFor({ state: 'detached' });
  // While the backtest of what was typed before still runs, the next one is refused and asked for again.
  now.watch.refusals = now.watch.refusals.filter((refusal) => !/^409 .*\/rueckblick$/.test(refusal));
  await leave(now, ['422 /v1/cockpit/regeln']);
});

test('a finding is ignored and opened again; its incident is closed with what was done', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/befunde/${finding}`);
  await button(page, 'Ignorieren').click();
  await button(page, 'Wieder öffnen').click();
  await button(page, 'Ignorieren').waitFor();
  await page.goto('/vorfaelle');
  await button(page, 'Schließen').first().click();
  await page.getByLabel('Was wurde getan?').fill('Abbruchbedingung ergänzt');
  await page.getByRole('dialog').locator('button[type="submit"]').click();
  await page.getByText('Keine offenen Vorfälle').waitFor();
  await page.getByRole('radio', { name: 'Geschlossene' }).click();
  await page.getByText(/Abbruchbedingung ergänzt/).waitFor();
  await page.goto(`/befunde/${finding}`);
  await page.getByRole('main').getByText('erledigt', { exact: true }).waitFor();
  await leave(now);
});

const SIGHTS: Sight[] = [
  { path: '/befunde?status=alle', ready: 'main ol li' },
  { path: '/vorfaelle?status=geschlossen', ready: 'main ol li' },
  { path: '/eingriffe', ready: 'main ol li' },
  { path: '/regeln', ready: 'main table' },
  { path: '/regeln/neu', ready: 'main form' },
  { path: '/budgets', ready: 'main ol li' },
  { path: '/zwilling', ready: 'main table' },
];
const sights = () => [
  ...SIGHTS,
  { path: `/befunde/${finding}`, ready: 'main ol li' },
  { path: `/laeufe/${RUN}?schritte=71-78`, ready: 'main ol li' },
];

test('no page is wider than a phone', async () => {
  const now = await visit({ bypassCSP: true });
  await fitPhone(now, sights());
  await leave(now);
});

whole('no page breaks a rule of axe in either theme', async () => {
  const now = await visit({ bypassCSP: true });
  for (const sight of sights()) {
    await goTo(now.page, sight);
    await checkInBothThemes(now.page, sight.path);
    await checkOnPhone(now.page, sight.path);
  }
  await leave(now);
});

whole('who may only look sees no button that changes anything', async () => {
  const reader = await visit();
  await reader.context.route('**/v1/ich', async (route) => {
    const answer = await route.fetch();
    const ich = await answer.json();
    await route.fulfill({ response: answer, json: { ...ich, rechte: ['verbrauch.lesen'] } });
  });
  const { page } = reader;
  for (const [path, ready] of [
    [`/befunde/${finding}`, 'main dl'],
    ['/regeln', 'main table'],
    [`/laeufe/${RUN}`, 'main ol'],
  ] as const) {
    await page.goto(path);
    await page.locator(ready).first().waitFor();
    for (const name of ['Wieder öffnen', 'Neue Regel', 'Lauf anhalten', 'Aufheben'])
      expect(await page.getByRole('main').getByText(name, { exact: true }).count(), name).toBe(0);
  }
  await leave(reader);
});
