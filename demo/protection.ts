/** What the demo's company has set up: the rule about loops stops runs, budgets, and alarms that go to a receiver that shows them here. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  alarmeSetzen,
  anmelden,
  befund,
  befundeListe,
  budgetAgent,
  budgetProjekt,
  cockpitAgenten,
  kontoLesen,
  projekte,
  type ResponseOf,
  regelAendern,
  regeln,
} from '#contracts';
import type { DemoState } from './state.ts';

const LOOK_MS = 200;
const LOCAL = 'http://127.0.0.1:';

/** Asks the service as a signed-in user; rejects with what it refuses. */
export type Ask = <T>(method: string, path: string, body?: object) => Promise<T>;

const headersFor = (address: string) => ({ 'content-type': 'application/json', origin: address });

export const askAs =
  (address: string, cookie: string): Ask =>
  async <T>(method: string, path: string, body?: object) => {
    const answer = await fetch(address + path, {
      method,
      headers: { ...headersFor(address), cookie },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
    return (await answer.json()) as T;
  };

/** Signs in at the service under `address`. */
export async function signIn(address: string, { email, passwort }: DemoState): Promise<Ask> {
  const login = await fetch(address + anmelden.path, {
    method: 'POST',
    headers: headersFor(address),
    body: JSON.stringify({ email, passwort }),
  });
  const cookies = login.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  return askAs(address, cookies.join('; '));
}

/**
 * Does a part of what the company sets up. Where that fails, the console says so, whatever the level of the log, with what is missing
 * now, and null comes back; rejects only when `signal` is aborted.
 */
export async function attempt<T>(
  missing: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    console.error(`Die Demo konnte nicht alles einrichten: ${(error as Error).message}\n${missing}`);
    return null;
  }
}

/** Arms the rule about loops, and sends alarms to `receiver`; what is so already stays. */
export async function arm(ask: Ask, receiver: string, signal: AbortSignal): Promise<void> {
  const rules = async () => (await ask<ResponseOf<typeof regeln>>('GET', regeln.path)).regeln;
  let rule = (await rules()).find(({ typ }) => typ === 'schleife_exakt');
  // A new Mandant gets its rules a moment after it came.
  for (let looks = 0; !rule && looks < 50; looks += 1) {
    await delay(LOOK_MS, undefined, { signal });
    rule = (await rules()).find(({ typ }) => typ === 'schleife_exakt');
  }
  if (rule?.schattenbetrieb)
    await ask('PUT', regelAendern.path.replace('{regel_id}', rule.regel_id), {
      stufe: 'anhalten',
      schattenbetrieb: false,
    });
  const { alarme } = await ask<ResponseOf<typeof kontoLesen>>('GET', kontoLesen.path);
  // A user who has entered another one wants that.
  if (alarme?.webhook_url && !alarme.webhook_url.startsWith(LOCAL)) return;
  await ask('PUT', alarmeSetzen.path, { webhook_url: receiver });
}

/** What an agent, or a project, may cost in a month, in EUR. */
const BUDGETS = {
  agent: { 'entwicklung/test-schreiber': '700', 'vertrieb/angebots-agent': '300' },
  projekt: { kundendienst: '250' },
};

/** Sets the budgets of the company, as far as the catalogue knows whom they are of. */
export async function setBudgets(ask: Ask): Promise<void> {
  const { agenten } = await ask<ResponseOf<typeof cockpitAgenten>>('GET', cockpitAgenten.path);
  const { projekte: all } = await ask<ResponseOf<typeof projekte>>('GET', projekte.path);
  for (const [key, betrag_eur] of Object.entries(BUDGETS.agent)) {
    const found = agenten.find(({ schluessel }) => schluessel === key);
    if (found) await ask('PUT', budgetAgent.path.replace('{agent_id}', found.agent_id), { betrag_eur });
  }
  for (const [key, betrag_eur] of Object.entries(BUDGETS.projekt)) {
    const found = all.find(({ schluessel }) => schluessel === key);
    if (found) await ask('PUT', budgetProjekt.path.replace('{projekt_id}', found.projekt_id), { betrag_eur });
  }
}

/** What stopping this run avoided, as an estimate in EUR; null while it is not known. */
export async function avoidedBy(ask: Ask, lauf: string): Promise<string | null> {
  const found = `${befundeListe.path}?typ=schleife_exakt&lauf_id=${lauf}`;
  const [latest] = (await ask<ResponseOf<typeof befundeListe>>('GET', found)).befunde;
  if (!latest) return null;
  const path = befund.path.replace('{befund_id}', latest.befund_id);
  return (await ask<ResponseOf<typeof befund>>('GET', path)).vermieden?.eur ?? null;
}

/** A receiver of alarms on this machine; hands out what it gets. */
export async function receiveAlarms(
  onAlarm: (titel: string, text: string) => void,
): Promise<{ address: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      response.end();
      const { titel, text } = JSON.parse(body) as { titel: string; text: string };
      onAlarm(titel, text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `${LOCAL}${port}/alarm`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
