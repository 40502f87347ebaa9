/**
 * What operators do, whether signed in or at the command line: each act with its entry in the operator log, in one transaction.
 * The log belongs to the installation; requests can neither read nor write it, and the owner can add to it only.
 */
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { MandantId } from '#kernel/mandant-id.ts';
import { continueAsMandant, type MandantTx } from '#platform/database/index.ts';
import { type OwnerDatabase, type OwnerTransaction, within } from '#platform/database/owner-database.ts';
import type { Akteur } from '../akteur.ts';

/** The database for the operations of operators. */
export type OperatorDatabase = OwnerDatabase;

/** Who acts, and when. */
export interface Acting {
  /** A signed-in operator also with the Mandant that the user belongs to. */
  akteur: Akteur & { mandant?: MandantId };
  now: Date;
}

/** One act. `vorher` and `nachher` hold the fields that changed: never a secret, and no names of a Mandant or its people. */
export interface OperatorAct {
  /** Stable dotted name: what it happened to, and what. */
  aktion: string;
  /** Whom it touches; left out for the installation. */
  mandant?: MandantId;
  /** `name` is for things of the installation only: who belongs to a Mandant is looked up by id when the log is read. */
  objekt: { art: string; id?: string | null; name?: string | null };
  vorher?: Record<string, unknown> | null;
  nachher?: Record<string, unknown> | null;
}

/** What came of it; `act` is null where everything stays as it was. */
export interface Done<T> {
  result: T;
  act: OperatorAct | null;
}

const INSERT = `INSERT INTO betreiberprotokoll (eintrag_id, zeitpunkt, akteur_art, akteur_mandant, akteur_id, akteur_name, aktion,
    mandant, objekt_art, objekt_id, objekt_name, vorher, nachher, adresse)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;

const jsonOrNull = (value: object | null | undefined) => (value ? JSON.stringify(value) : null);

async function record(client: pg.PoolClient, { akteur, now }: Acting, act: OperatorAct): Promise<void> {
  const { aktion, mandant, objekt, vorher, nachher } = act;
  await client.query(INSERT, [
    ...[uuidv7(), now.toISOString(), akteur.art, akteur.mandant ?? null, akteur.id, akteur.name],
    ...[aktion, mandant ?? null, objekt.art, objekt.id ?? null, objekt.name ?? null],
    ...[jsonOrNull(vorher), jsonOrNull(nachher), akteur.adresse],
  ]);
}

/**
 * Does something as an operator: `work` and the entry about it in one transaction of the owner, all or nothing. What `work` begins
 * as a transaction takes part in this one.
 */
export function actAsOperator<T>(
  db: OperatorDatabase,
  acting: Acting,
  work: (owner: OwnerTransaction) => Promise<Done<T>>,
): Promise<T> {
  return db.transaction(async (client) => {
    const { result, act } = await work(within(client));
    // The work may have gone on as a Mandant, who has no rights to the log.
    await client.query('SET LOCAL ROLE NONE');
    if (act) await record(client, acting, act);
    return result;
  });
}

/** Likewise for one Mandant: `work` under the request role and bound to that Mandant, as what the Mandant does by itself. */
export const actOnMandant = <T>(
  db: OperatorDatabase,
  acting: Acting,
  mandant: MandantId,
  work: (tx: MandantTx) => Promise<Done<T>>,
): Promise<T> =>
  actAsOperator(db, acting, (owner) =>
    owner.transaction(async (client) => {
      const { result, act } = await work(await continueAsMandant(client, mandant));
      return { result, act: act && { ...act, mandant } };
    }),
  );
