/** The demo's Mandant, its login and its API key, on a database that is nobody else's. */
import { randomInt } from 'node:crypto';
import { SYSTEM } from '#domains/protokoll/index.ts';
import { createKey } from '#domains/schluessel/index.ts';
import { registerMandant } from '#domains/zugang/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { EMAIL, FIRMA } from './scenario.ts';
import { DemoRefused, type DemoState, readState, stateFile, writeState } from './state.ts';

const SEED = 'nordlicht';
const DAY = 86_400_000;
/** How far back the demo's events reach. */
export const FILLED_DAYS = 30;
/** Without the characters that are taken for one another. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A password that can be typed: 16 letters and digits in groups of four, about 80 bits. */
const newPassword = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
  ).join('-');

/** The state of a demo that begins now. */
export const newState = (now: Date): DemoState => ({
  email: EMAIL,
  passwort: newPassword(),
  schluessel: null,
  seed: SEED,
  beginn: now.toISOString(),
  gesendet_bis: new Date(now.getTime() - FILLED_DAYS * DAY).toISOString(),
  eingespielt: 0,
  gefuellt: false,
});

async function findDemo(owner: OwnerDatabase): Promise<{ demo: string | null; others: boolean }> {
  const { rows } = await owner.query<{ mandant_id: string; demo: boolean }>(
    `SELECT m.mandant_id, coalesce(bool_or(lower(b.email) = $1), false) AS demo
     FROM mandanten m LEFT JOIN benutzer b USING (mandant_id) GROUP BY m.mandant_id`,
    [EMAIL],
  );
  return {
    demo: rows.find((row) => row.demo)?.mandant_id ?? null,
    others: rows.some((row) => !row.demo),
  };
}

async function registerDemo(
  context: ServiceContext,
  dataDir: string,
): Promise<{ mandant: string; state: DemoState }> {
  const state = newState(context.clock.now());
  // Saved first: a login that nobody knows would be of no use.
  writeState(dataDir, state);
  const { ich } = await registerMandant(
    context,
    { firma: FIRMA, email: state.email, passwort: state.passwort, paket: 'frei', avv_akzeptiert: true },
    { adresse: null, geraet: null },
    // There is no such mailbox.
    { vouched: true },
  );
  return { mandant: ich.mandant.mandant_id, state };
}

/**
 * Finds or makes the demo's account; every step may be interrupted and is done at the next start. `accepts` says whether
 * an API key still works. Throws `DemoRefused` when the database belongs to somebody else.
 */
export async function openAccount(
  context: ServiceContext,
  owner: OwnerDatabase,
  dataDir: string,
  accepts: (key: string) => Promise<boolean>,
): Promise<DemoState & { schluessel: string }> {
  const found = await findDemo(owner);
  const known = readState(dataDir);
  if (found.demo === null && found.others) {
    throw new DemoRefused(
      'In diesem Datenverzeichnis liegt schon ein Mandant, der nicht zur Demo gehört. Starten Sie die Demo mit einem anderen, etwa DATA_DIR=./demo-daten npm run demo.',
    );
  }
  if (found.demo !== null && known === null) {
    throw new DemoRefused(
      `Die Datei „${stateFile(dataDir)}“ mit den Zugangsdaten der Demo fehlt. Löschen Sie das Datenverzeichnis, um die Demo neu anzulegen.`,
    );
  }
  const { mandant, state } =
    found.demo !== null && known !== null
      ? { mandant: found.demo, state: known }
      : await registerDemo(context, dataDir);
  await owner.query('UPDATE mandanten SET demo = true WHERE mandant_id = $1 AND NOT demo', [mandant]);
  // The session that registering begins: nobody holds it, and it came from nowhere.
  await owner.query('DELETE FROM sitzungen WHERE mandant_id = $1 AND adresse IS NULL', [mandant]);
  if (state.schluessel !== null && (await accepts(state.schluessel))) {
    return { ...state, schluessel: state.schluessel };
  }
  const { schluessel } = await createKey(context, mandantId(mandant), SYSTEM, { name: 'Demo-Verkehr' });
  const complete = { ...state, schluessel };
  writeState(dataDir, complete);
  return complete;
}
