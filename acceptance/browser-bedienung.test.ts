/** How the parts of the cockpit answer to hand and key, whatever page they stand on: the chart, dialogs, the palette. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, call, heading, logIn, registerUser, run, shareCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { request } from '#test/outside-account.ts';
import { until } from '#test/until.ts';

/**
 * In `npm test`: a click on the chart. The rest is covered there by tests without a browser: menu and focus in `app/shell` and
 * `ui/fields`, as is the search, amounts in `format/money-column`. That nothing is cut off only the whole
 * suite sees, beyond that no page is wider than a phone (`browser.test.ts`).
 */
const whole = test.runIf(isWhole);

let cockpit: Cockpit;

/** Sends further calls of the Mandant with data. */
async function send(events: object[]): Promise<void> {
  const post = async (path: string, body: object, credentials: Record<string, string>) => {
    const headers = { 'content-type': 'application/json', ...credentials };
    const answer = await request(`${cockpit.address}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(answer.status).toBeLessThan(300);
    return answer.json<{ schluessel: string }>();
  };
  const { schluessel } = await post('/v1/cockpit/konto/schluessel', {}, { cookie: cockpit.cookie });
  await post('/v1/ereignisse', { ereignisse: events }, { authorization: `Bearer ${schluessel}` });
}

beforeAll(async () => {
  cockpit = await shareCockpit();
  // A loop of a model with a long name, and a call that costs as much as a house.
  const alike = {
    ...call,
    modell: 'claude-3-7-sonnet-20250219',
    anbieter: 'anthropic',
    agent: 'recherche-agent',
  };
  const loop = { ...alike, lauf_id: run, prompt_fingerabdruck: 'aabbccddeeff0011' };
  await send([...Array(12).fill(loop), { ...call, agent: 'beleg-agent', ausgabe_token: 10 ** 12 }]);
});

afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, options);
const periodOf = (page: Page) => new URL(page.url()).searchParams.get('zeitraum');
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

describe('the chart', () => {
  interface Plot {
    days: string[];
    /** Middle of the column of a day, in pixels of the window. */
    at: (index: number) => { x: number; y: number };
    /** On the labels of the y axis. */
    beside: { x: number; y: number };
  }

  async function openChart(page: Page): Promise<Plot> {
    await page.goto('/?zeitraum=7tage');
    const grid = page.locator('figure [data-part=grid]');
    await grid.waitFor();
    await page.locator('figure').scrollIntoViewIfNeeded();
    const box = await grid.boundingBox();
    const days = await page.evaluate<string[]>(
      `fetch('/v1/cockpit/uebersicht?zeitraum=7tage').then((answer) => answer.json())
         .then(({ verlauf }) => verlauf.map(({ schluessel }) => schluessel))`,
    );
    const { x, y, width, height } = box!;
    const middle = y + height / 2;
    return {
      days,
      at: (index) => ({ x: x + ((index + 0.5) * width) / days.length, y: middle }),
      beside: { x: x - 30, y: middle },
    };
  }

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

  whole.each([1, 3, 6])('opens the day that is tapped (%i)', async (index) => {
    const now = await visit({ cookie: cockpit.cookie, ...phone });
    const { page } = now;
    const { days, at } = await openChart(page);
    await page.touchscreen.tap(at(index).x, at(index).y);
    await page.waitForURL((url) => url.searchParams.get('zeitraum') !== '7tage');
    expect(periodOf(page)).toBe(`${days[index]}..${days[index]}`);
    await leave(now);
  });

  test('opens the day that is clicked, and none beside the bars', async () => {
    const now = await visit({ cookie: cockpit.cookie });
    const { page } = now;
    const { days, at, beside } = await openChart(page);
    await page.mouse.click(beside.x, beside.y);
    // What a click opens is in the address at once; a frame later it would have been there.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(periodOf(page)).toBe('7tage');
    await page.mouse.click(at(2).x, at(2).y);
    await page.waitForURL((url) => url.searchParams.get('zeitraum') !== '7tage');
    expect(periodOf(page)).toBe(`${days[2]}..${days[2]}`);
    await leave(now);
  });
});

whole('a menu that is opened before the figures are there stays open when they come', async () => {
  const now = await visit({ cookie: cockpit.cookie });
  const { page } = now;
  const figures = Promise.withResolvers<void>();
  await page.route('**/v1/cockpit/**', async (route) => {
    await figures.promise;
    await route.continue();
  });
  await page.goto('/');
  await button(page, /^Zeitraum: 7/).click();
  const entry = page.getByRole('menuitem', { name: 'Eigener Zeitraum …' });
  await entry.waitFor();
  figures.resolve();
  await page.locator('figure svg').waitFor();
  await page.waitForLoadState('networkidle');
  expect(await entry.isVisible()).toBe(true);
  await leave(now);
});

describe('the focus', () => {
  const focusOn = (page: Page) =>
    page.evaluate<string>(
      `(({ tagName, ariaLabel, labels, textContent }) => tagName + ' ' + (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim().replaceAll('\u00a0', ' '))(document.activeElement)`,
    );
  const untilFocus = (page: Page, on: string) =>
    until(`the focus on ${on}`, async () => (await focusOn(page)) === on);

  whole('comes back from help and palette, however they are left', async () => {
    const now = await visit({ cookie: cockpit.cookie });
    const { page } = now;
    await page.goto('/agenten');
    await page.locator('main table').waitFor();
    const search = page.getByRole('searchbox');
    const link = page.getByRole('link', { name: 'beleg-agent' });
    await link.focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await untilFocus(page, 'INPUT Tastenkürzel aus einer einzelnen Taste verwenden');
    await page.keyboard.press('Escape');
    await untilFocus(page, 'A beleg-agent');
    await search.focus();
    const back = await focusOn(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await untilFocus(page, back);
    await button(page, /^Suchen/).click();
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focusOn(page)).toMatch(/^BUTTON Suchen/);
    await leave(now);
  });

  whole(
    'goes to the first field of a form and from there back to the button or the menu it came from',
    async () => {
      const now = await visit({ cookie: cockpit.cookie });
      const { page } = now;
      await page.goto('/?zeitraum=7tage');
      await page.locator('figure svg').waitFor();
      await button(page, 'Zeitraum: 7 Tage').click();
      await page.getByRole('menuitem', { name: 'Eigener Zeitraum …' }).click();
      await untilFocus(page, 'INPUT Erster Tag');
      await page.keyboard.press('Escape');
      await untilFocus(page, 'BUTTON Zeitraum: 7 Tage');
      await page.goto(cockpit.agentPage);
      for (const leaving of ['Abbrechen', 'Speichern']) {
        await button(page, 'Bearbeiten').click();
        await untilFocus(page, 'INPUT Name');
        await button(page, leaving).click();
        await untilFocus(page, 'BUTTON Bearbeiten');
      }
      await leave(now);
    },
  );

  whole('goes to what does no harm, and to the heading when its place is gone', async () => {
    const email = await registerUser(cockpit.address);
    const now = await visit();
    const { page } = now;
    await page.goto('/einstellungen/schluessel');
    await logIn(page, email);
    await button(page, 'Neuer Schlüssel').click();
    await untilFocus(page, 'INPUT Name');
    await page.keyboard.type('Probe');
    await page.keyboard.press('Enter');
    await page.locator('main table').waitFor();
    await untilFocus(page, 'H1 API-Schlüssel');
    const block = 'Schlüssel „Probe“ sperren';
    await button(page, block).click();
    await untilFocus(page, 'BUTTON Abbrechen');
    await page.keyboard.press('Enter');
    await untilFocus(page, `BUTTON ${block}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Sperren' }).click();
    await page.getByText('Schlüssel „Probe“ ist gesperrt.').waitFor();
    await untilFocus(page, 'H1 API-Schlüssel');
    await heading(page, 'API-Schlüssel').waitFor();
    await leave(now, ['401 /v1/ich']);
  });
});

describe('nothing is cut or covered', () => {
  /** Texts within what the selector finds that are wider than their place. */
  const cutIn = (page: Page, selector: string) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((place) => [place, ...place.querySelectorAll('*')])
         .filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 1)
         .map((part) => part.textContent)`,
    );

  /** By how many pixels the ring around what has the focus is cut off by what lies around it. */
  const ringCut = (page: Page) =>
    page.evaluate<number>(`(() => {
      const place = document.activeElement;
      const { outlineOffset, outlineWidth, outlineStyle } = getComputedStyle(place);
      if (outlineStyle === 'none') return Infinity;
      const reach = parseFloat(outlineOffset) + parseFloat(outlineWidth);
      const ring = place.getBoundingClientRect();
      const cuts = [0];
      for (let around = place.parentElement; around; around = around.parentElement) {
        if (getComputedStyle(around).overflowX === 'visible') continue;
        const box = around.getBoundingClientRect();
        cuts.push(box.left - ring.left + reach, ring.right + reach - box.right, box.top - ring.top + reach, ring.bottom + reach - box.bottom);
      }
      return Math.max(...cuts);
    })()`);

  whole('of the figures and their focus, and of the names of places', async () => {
    const now = await visit({ cookie: cockpit.cookie });
    const { page } = now;
    const figures = 'main .figures button[aria-pressed]';
    for (const width of [320, 390, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/?zeitraum=7tage');
      await page.locator('figure svg').waitFor();
      await page.getByRole('button', { name: /^Kosten.*\d{3}\.\d{3},\d\d/ }).waitFor();
      expect(await cutIn(page, figures), `${width} px`).toEqual([]);
      for (let at = 0; at < 5; at++) {
        await page.locator(figures).nth(at).focus();
        await page.keyboard.press('Shift+Tab');
        await page.keyboard.press('Tab');
        expect(await ringCut(page), `figure ${at}, ${width} px`).toBe(0);
      }
    }
    await page.setViewportSize({ width: 320, height: 640 });
    const places = await page.evaluate<number[]>(
      `[...document.querySelectorAll('header nav a')].filter((place) => place.checkVisibility()).map((place) => {
         const text = document.createRange();
         text.selectNodeContents(place);
         const { left, right } = text.getBoundingClientRect();
         return Math.max(0, -left, right - innerWidth, left < place.getBoundingClientRect().left ? 1 : 0);
       })`,
    );
    expect(places).toEqual([0, 0, 0, 0, 0, 0]);
    await leave(now);
  });

  whole('in the steps of a run: the model has room, badges keep off the cost', async () => {
    const now = await visit({ cookie: cockpit.cookie });
    const { page } = now;
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`/laeufe/${run}`);
      await page.getByText('12× gleich in Folge').waitFor();
      const lines = 'main button[aria-expanded]';
      if (width === 390) expect(await cutIn(page, lines)).toEqual([]);
      const covered = await page.evaluate<string[]>(
        `[...document.querySelectorAll(${JSON.stringify(lines)})].filter((line) => {
           const cost = line.lastElementChild.getBoundingClientRect();
           return [...line.querySelectorAll('span[class*=rounded]')].some((badge) => {
             const box = badge.getBoundingClientRect();
             return box.right > cost.left && box.bottom > cost.top && box.top < cost.bottom && badge.textContent !== '';
           });
         }).map((line) => line.textContent)`,
      );
      expect(covered, `${width} px`).toEqual([]);
    }
    await leave(now);
  });
});

whole('a search puts into the address what was typed, not every letter of it', async () => {
  const now = await visit({ cookie: cockpit.cookie });
  const { page } = now;
  await page.goto('/agenten');
  await page.locator('main table').waitFor();
  await page.evaluate(`(() => {
    const replace = history.replaceState;
    window.addresses = new Set();
    history.replaceState = (state, title, url) => {
      window.addresses.add(new URL(url ?? location.href, location.href).search);
      return replace.call(history, state, title, url);
    };
  })()`);
  // As fast as anybody types, on however busy a machine.
  await page.evaluate(`(() => {
    const field = document.querySelector('input[type=search]');
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    for (let end = 1; end <= 'beleg-agent'.length; end++) {
      set.call(field, 'beleg-agent'.slice(0, end));
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  })()`);
  await page.getByText('1 von 3 Agenten').waitFor();
  await page.waitForURL('**/agenten?q=beleg-agent');
  expect(await page.evaluate<number>('window.addresses.size')).toBeLessThan(5);
  await page.goto('/agenten?q=recherche');
  await page.getByRole('searchbox').fill('niemand');
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).click();
  await until('the field to be empty', async () => (await page.getByRole('searchbox').inputValue()) === '');
  await leave(now);
});

whole(
  'amounts that stand below one another have one number of decimals, all their digits on hover',
  async () => {
    await send(
      [1, 17].map((token) => ({ ...call, agent: `a-${token}`, eingabe_token: token, ausgabe_token: 0 })),
    );
    const now = await visit({ cookie: cockpit.cookie });
    const { page } = now;
    await page.goto('/agenten');
    const amounts = page.locator('main tbody td:nth-child(3) span[title]');
    await until('all agents to be counted', async () => {
      if ((await amounts.count()) === 5) return true;
      await page.reload();
      await page.locator('main table').waitFor();
      return false;
    });
    const texts = await amounts.allTextContents();
    const decimals = texts.map((text) => /,(\d+)/.exec(text)?.[1]?.length);
    expect(new Set(decimals), texts.join()).toEqual(new Set([2]));
    expect(texts.filter((text) => text === '<\u00a00,01\u00a0€')).toHaveLength(2);
    const exact = await amounts.evaluateAll((found) =>
      found.map((amount) => amount.getAttribute('title') ?? ''),
    );
    expect(exact.filter((title) => /^0,0000\d+\u00a0€$/.test(title))).toHaveLength(2);
    await leave(now);
  },
);
