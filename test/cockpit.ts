/** The built cockpit at a running service, with something to show: one Mandant, three agents, a run of six steps. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { checkOnPhone } from './accessible.ts';
import { launchBrowser, type Visit } from './browser.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { createAccount, request } from './outside-account.ts';
import { signal } from './processes.ts';
import { createServiceProcess, type ServiceProcess } from './service-process.ts';

const ROOT = resolve(import.meta.dirname, '..');

export const password = 'ein-langes-passwort';
/** Id of the run. */
export const run = randomUUID();

/** A call that costs enough to be seen in cents. */
export const call = {
  anbieter: 'openai',
  modell: 'gpt-4o-mini',
  eingabe_token: 1_000_000,
  ausgabe_token: 1_000_000,
  latenz_ms: 840,
};

export interface Cockpit {
  browser: Browser;
  /** `http://127.0.0.1:<port>`. */
  address: string;
  /** Session of the Mandant with data, `name=value`. */
  cookie: string;
  mandantId: string;
  /** The page of the agent whose run it is. */
  agentPage: string;
  /** Runs SQL as the owner of the database. */
  sql: ServiceProcess['sql'];
  dispose(): Promise<void>;
}

/** Six steps of today: the second fails, the last three are alike. */
function stepsOfRun() {
  const begin = Date.now() - 10_000;
  return [1, 2, 3, 4, 5, 6].map((number) => ({
    ...call,
    agent: 'recherche-agent',
    lauf_id: run,
    schritt_nr: number,
    zeitpunkt: new Date(begin + number * 1000).toISOString(),
    eingabe_token: number * 1000,
    ...(number === 2 ? { status: 'fehler', fehlercode: 'zeitueberschreitung' } : {}),
    ...(number > 3 ? { prompt_fingerabdruck: '00112233445566aa' } : {}),
  }));
}

const events = () => [
  { ...call, agent: 'angebots-agent', endkunde_ref: 'kunde-a' },
  { ...call, agent: 'angebots-agent', endkunde_ref: 'kunde-b' },
  { ...call, agent: 'beleg-agent' },
  ...stepsOfRun(),
];

interface Agents {
  agenten: { agent_id: string; schluessel: string }[];
}

/** A port nobody listens on right now: the examples name the configured one, so the service cannot be left to find it. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Makes a Mandant whose nine calls of today are counted. */
async function sendEvents(
  service: ServiceProcess,
): Promise<Pick<Cockpit, 'cookie' | 'mandantId' | 'agentPage'>> {
  const account = await createAccount(service);
  const sent = await account.send(events());
  if (sent.status !== 202) throw new Error(`not accepted: ${sent.status} ${sent.text}`);
  await account.untilCounted(9);
  const { agenten } = (await account.look('/v1/cockpit/agenten')).json<Agents>();
  const agent = agenten.find(({ schluessel }) => schluessel === 'recherche-agent');
  const { cookie, mandantId } = account;
  return { cookie, mandantId, agentPage: `/agenten/${agent?.agent_id}` };
}

/** A time zone in which it is neither shortly before nor shortly after midnight: what is shown is of today. */
function zoneOfDaytime(): string {
  const { hour } = Temporal.Now.zonedDateTimeISO('Europe/Berlin');
  return hour === 0 || hour >= 22 ? 'Asia/Tokyo' : 'Europe/Berlin';
}

/** Starts the service on a port of its own; another one when somebody was quicker to take it. */
async function startService(env: Record<string, string>): Promise<ServiceProcess> {
  const port = String(await findFreePort());
  // Links in mails lead where the browser is: cookies are kept for a host.
  const address = { PORT: port, BASE_URL: `http://127.0.0.1:${port}` };
  const service = createServiceProcess({ ...address, ZEITZONE: zoneOfDaytime(), ...env });
  try {
    await service.start();
    return service;
  } catch (error) {
    await service.dispose();
    if (String(error).includes('EADDRINUSE')) return startService(env);
    throw error;
  }
}

/** Builds the cockpit where that is needed. */
export async function buildCockpit(): Promise<void> {
  await promisify(execFile)(process.execPath, ['cockpit/build-if-stale.ts'], { cwd: ROOT });
}

interface Installation {
  service: ServiceProcess;
  browser: Browser;
}

/** Builds the cockpit where that is needed, starts the service and a browser. */
async function startInstallation(env: Record<string, string>): Promise<Installation> {
  await buildCockpit();
  const service = await startService(env);
  try {
    return { service, browser: await launchBrowser() };
  } catch (error) {
    await service.dispose();
    throw error;
  }
}

async function cockpitOf({ service, browser }: Installation, dispose: () => Promise<void>): Promise<Cockpit> {
  const shown = await sendEvents(service);
  return { browser, address: service.address(), sql: service.sql, ...shown, dispose };
}

/**
 * A service and a browser of the file's own: for files that need settings, stop the service, or change what belongs to the whole
 * installation.
 */
export async function startCockpit(env: Record<string, string> = {}): Promise<Cockpit> {
  const installation = await startInstallation(env);
  const dispose = async () => {
    await installation.browser.close();
    await installation.service.dispose();
  };
  return cockpitOf(installation, dispose).catch(async (error: unknown) => {
    await dispose();
    throw error;
  });
}

/** The mail server beside the shared service; what a test starts on this machine is reached as well. */
export type SharedCockpit = Cockpit & { mailbox: Mailbox };

async function startSurrounded(): Promise<Installation & { mailbox: Mailbox }> {
  const mailbox = await startMailbox();
  const env = { ERLAUBTE_NETZE: '127.0.0.0/8', SMTP_URL: mailbox.url };
  return { ...(await startInstallation(env)), mailbox };
}

let shared: ReturnType<typeof startSurrounded> | null = null;

/**
 * The service and the browser of this worker, shared by all files that see them as one Mandant: each gets a Mandant of its own.
 * Both end with the worker. Between two of the files the service stands still: it would take a twentieth of a processor all the time.
 */
export async function shareCockpit(): Promise<SharedCockpit> {
  shared ??= startSurrounded();
  // The next file tries again.
  const installation = await shared.catch((error: unknown) => {
    shared = null;
    throw error;
  });
  const { service, mailbox } = installation;
  signal(service.pid(), 'SIGCONT');
  const before = service.errors().length;
  const rest = async () => {
    // What the service logged as an error explains what a page was refused.
    for (const line of service.errors().slice(before)) process.stderr.write(`${line}\n`);
    signal(service.pid(), 'SIGSTOP');
  };
  return { ...(await cockpitOf(installation, rest)), mailbox };
}

/** A user who has registered and sent nothing yet; resolves with the e-mail address. */
export async function registerUser(address: string): Promise<string> {
  const email = `${randomUUID()}@example.org`;
  const answer = await request(`${address}/v1/registrieren`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firma: 'Beispiel AG', email, passwort: password }),
  });
  if (answer.status !== 201) throw new Error(`not registered: ${answer.status} ${answer.text}`);
  return email;
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

const german = { email: 'E-Mail', password: 'Passwort', submit: 'Anmelden' };

/** Fills in the login page and sends it. */
export async function logIn(page: Page, email: string, labels = german, secret = password): Promise<void> {
  await page.getByLabel(labels.email).fill(email);
  await page.getByLabel(labels.password).fill(secret);
  await page.getByRole('button', { name: labels.submit, exact: true }).click();
}

export interface Sight {
  path: string;
  /** There once everything is loaded. */
  ready: string;
  /** A key that opens a dialog on it. */
  key?: string;
}

/** Every page of the cockpit, and what opens above all of them. */
export function sightsOf({ agentPage }: Cockpit): Sight[] {
  return [
    { path: '/anmelden', ready: 'form' },
    { path: '/registrieren', ready: 'form' },
    { path: '/passwort-vergessen', ready: 'form' },
    { path: '/passwort-neu?token=aus-einer-mail-kopiert', ready: 'form' },
    { path: '/einladung', ready: 'h1' },
    { path: '/avv', ready: 'main article' },
    { path: '/status', ready: 'main figure' },
    { path: '/', ready: 'figure svg' },
    { path: '/?ansicht=tabelle', ready: 'main table' },
    { path: '/', ready: 'figure svg', key: '?' },
    { path: '/', ready: 'figure svg', key: 'Control+k' },
    { path: '/?endkunde=kunde-a', ready: 'figure svg' },
    { path: '/?stapel=modell&vergleich=aus', ready: 'figure svg' },
    { path: '/aufschluesselung', ready: 'main table' },
    { path: '/agenten', ready: 'main table' },
    { path: agentPage, ready: 'figure svg' },
    { path: '/laeufe', ready: 'main table' },
    { path: `/laeufe/${run}`, ready: 'main ol' },
    { path: '/endkunden', ready: 'main table' },
    { path: '/endkunden/abrechnung?referenz=kunde-a', ready: 'figure svg' },
    { path: '/abrechnung', ready: 'main table' },
    { path: '/abrechnung/versand', ready: 'main section p' },
    { path: '/abgleich', ready: 'main table' },
    { path: '/abgleich/nutzung', ready: 'main input[type=file]' },
    { path: '/preise', ready: 'main table' },
    { path: '/anbindung', ready: 'main table' },
    { path: '/email-bestaetigen?token=aus-einer-mail-kopiert', ready: 'main button' },
    { path: '/einstellungen/profil', ready: 'main dl' },
    { path: '/einstellungen/sicherheit', ready: 'main section li' },
    { path: '/gibt-es-nicht', ready: 'h1' },
  ];
}

/** The settings of the Mandant; who has registered may see all of them. */
export const settingsSights: Sight[] = [
  { path: '/einstellungen/benutzer', ready: 'main table' },
  { path: '/einstellungen/schluessel', ready: 'main table' },
  { path: '/einstellungen/branding', ready: 'main form' },
  { path: '/einstellungen/alarme', ready: 'main section li' },
  { path: '/einstellungen/firmenkonto', ready: 'main form' },
  { path: '/einstellungen/kurse', ready: 'main section input' },
  { path: '/einstellungen/buchhaltung', ready: 'main form' },
  { path: '/einstellungen/paket', ready: 'main dl' },
  { path: '/einstellungen/avv', ready: 'main article' },
  { path: '/einstellungen/protokoll', ready: 'main table' },
  { path: '/einstellungen/export', ready: 'main select' },
  { path: '/einstellungen/kuendigung', ready: 'main form' },
];

export async function goTo(page: Page, { path, ready, key }: Sight): Promise<void> {
  await page.goto(path);
  await page.locator(ready).first().waitFor();
  if (!key) return;
  await page.keyboard.press(key);
  await page.getByRole('dialog').waitFor();
}

/** Goes on to another page as a link does, without the cockpit being loaded anew. */
async function goOn(page: Page, sight: Sight): Promise<void> {
  const isSamePage = new URL(sight.path, page.url()).pathname === new URL(page.url()).pathname;
  if (isSamePage || sight.key) return goTo(page, sight);
  await page.evaluate(`(() => {
    document.querySelector('h1')?.setAttribute('data-before', '');
    history.pushState(null, '', ${JSON.stringify(sight.path)});
  })()`);
  await page.locator('h1:not([data-before])').first().waitFor();
  await page.locator(sight.ready).first().waitFor();
}

/** That these pages are no wider than a phone, nor than the narrowest window there is. */
export async function fitPhone(visit: Visit, sights: readonly Sight[]): Promise<void> {
  const { page } = visit;
  await page.setViewportSize({ width: 390, height: 844 });
  for (const sight of sights) {
    await (page.url() === 'about:blank' ? goTo : goOn)(page, sight);
    await checkOnPhone(page, `${sight.path} ${sight.key ?? ''}`);
  }
}
