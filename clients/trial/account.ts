/** What a new user does in the cockpit: makes an account, arms the rules it begins with, and looks at what is counted. */
import { cockpitQuellen, laeufeListe, type ResponseOf, regelAendern, regeln } from '../../contracts/index.ts';
import { type Account, createAccount, type Run, request } from '../../test/outside-account.ts';
import type { ServiceProcess } from '../../test/service-process.ts';
import { until } from '../../test/until.ts';

/** The rules that a new account gets, a moment after it came, only watch until somebody arms them: all that would stop are, as they are. */
async function armDefaults(service: ServiceProcess, account: Account): Promise<void> {
  const shadows = await until('the rules of a new account', async () => {
    const found = (await account.look(regeln.path)).json<ResponseOf<typeof regeln>>().regeln;
    const stopping = found.filter(({ stufe, schattenbetrieb }) => stufe === 'anhalten' && schattenbetrieb);
    return stopping.some(({ typ }) => typ === 'schleife_exakt') ? stopping : null;
  });
  for (const { regel_id } of shadows) {
    const answer = await request(service.address() + regelAendern.path.replace('{regel_id}', regel_id), {
      method: 'PUT',
      headers: { 'content-type': 'application/json', cookie: account.cookie },
      body: JSON.stringify({ schattenbetrieb: false }),
    });
    if (answer.status !== 200) throw new Error(`not armed: ${answer.status} ${answer.text}`);
  }
}

/** A new account whose default rules stop what they find. */
export async function createArmed(service: ServiceProcess): Promise<Account> {
  const account = await createAccount(service);
  await armDefaults(service, account);
  return account;
}

/** The runs there are, the latest first, with their calls. */
export async function runsOf(account: Account): Promise<Run[]> {
  await account.untilNothingWaits();
  const { laeufe } = (await account.get(laeufeListe.path)).json<ResponseOf<typeof laeufeListe>>();
  return Promise.all(laeufe.map(({ lauf_id }) => account.lauf(lauf_id)));
}

/** The libraries that told of calls, with their versions. */
export async function sourcesOf(account: Account): Promise<string[]> {
  const { quellen } = (await account.look(cockpitQuellen.path)).json<ResponseOf<typeof cockpitQuellen>>();
  return quellen.map(({ bibliothek, version }) => `${bibliothek} ${version}`);
}
