/** A real browser at the running service: how it is found, what it must not do, what axe says about a page. */
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { expect, onTestFailed } from 'vitest';
import { checkAnswer } from './answers.ts';
import { findChromium } from './chromium.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
];
const PATIENCE_MS = 180_000;

export async function launchBrowser(): Promise<Browser> {
  // With the process it ends all the same; waiting for its good-bye would outlast the patience of the test runner.
  const options = { executablePath: await findChromium(), args: ARGS, handleSIGTERM: false };
  // Now and then one dies of itself before it has begun.
  return chromium.launch(options).catch(() => chromium.launch(options));
}

/** What a page did wrong, and which of its requests the service refused. */
interface Watch {
  /** Errors on the console (breaches of the content security policy are some), uncaught ones, foreign requests. */
  faults: string[];
  /** `<status> <path>` of answers from 400 on, in the order they came. */
  refusals: string[];
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  watch: Watch;
}

/** The browser itself logs every refused request; those stand among the refusals already. */
const ofRefusal = /^Failed to load resource: the server responded with a status of 4\d\d/;

function watchContext(context: BrowserContext, address: string): Watch {
  const watch: Watch = { faults: [], refusals: [] };
  context.on('console', (message) => {
    if (message.type() === 'error' && !ofRefusal.test(message.text())) watch.faults.push(message.text());
  });
  context.on('weberror', (error) => watch.faults.push(String(error.error())));
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== address) watch.faults.push(request.url());
  });
  context.on('response', async (response) => {
    // To have the bodies of scripts handed over costs as much as to run them.
    if (!response.url().startsWith(`${address}/v1/`)) return;
    // A page that is left takes the bodies of its answers with it.
    const body = await response.text().catch(() => null);
    const contentType = response.headers()['content-type'];
    checkAnswer(response.url(), {
      method: response.request().method(),
      status: response.status(),
      contentType,
      body,
    });
  });
  context.on('response', (response) => {
    if (response.status() < 400) return;
    watch.refusals.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  return watch;
}

/** A fresh profile that reads German, with one page at 1280 by 800; `cookie` (`name=value`) signs it in. */
export async function openPage(
  browser: Browser,
  address: string,
  { cookie, ...options }: BrowserContextOptions & { cookie?: string } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 1280, height: 800 },
    locale: 'de-DE',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  if (cookie) {
    const [name = '', ...value] = cookie.split('=');
    await context.addCookies([{ name, value: value.join('='), url: address }]);
  }
  const watch = watchContext(context, address);
  // A step that waits in vain may do so because of these.
  if (expect.getState().currentTestName)
    onTestFailed(() => {
      for (const line of [...watch.refusals, ...watch.faults]) process.stderr.write(`the page met ${line}\n`);
    });
  return { context, page: await context.newPage(), watch };
}

/** Closes the page; it did nothing wrong, and the service refused what is named here and nothing else. */
export async function leave({ context, watch }: Visit, refusals: string[] = []): Promise<void> {
  await context.close();
  expect(watch).toEqual({ faults: [], refusals });
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** All rules of axe, with the size of targets, which is off by default; those of colours alone. */
const RULES = {
  all: `rules: { 'target-size': { enabled: true } }`,
  colours: `runOnly: ['color-contrast', 'link-in-text-block']`,
};
const runAxe = (rules: string) => `axe.run({ resultTypes: ['violations'], ${rules} }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html + ' (' + node.any.map((check) => check.message).join('; ') + ')').join(' | ')))`;

/** What axe finds on the page as it stands, one line for every broken rule. The context has to bypass the CSP. */
export async function violationsOn(page: Page, rules: keyof typeof RULES = 'all'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.addScriptTag({ path: AXE });
  return page.evaluate<string[]>(runAxe(RULES[rules]));
}

/** By how many pixels the page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
