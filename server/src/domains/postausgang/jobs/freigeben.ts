import type pg from 'pg';
import Type from 'typebox';
import { defineJob, enqueueFor, handle, type Job, type JobContext } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { versenden } from './versenden.ts';

/** Lets go the mail of a Mandant that was held, once an inhaber has confirmed the own address. Requests cannot: they may put mail in, not see it. */
export const freigeben = defineJob({
  id: 'postausgang.freigeben',
  version: 1,
  payload: Type.Object({}),
});

const RELEASE = `
  UPDATE postausgang SET gehalten = false WHERE mandant_id = $1 AND gehalten AND EXISTS (
    SELECT FROM benutzer b WHERE b.mandant_id = $1 AND b.rolle = 'inhaber' AND b.aktiv
      AND b.email_bestaetigt_am IS NOT NULL AND b.email_verloren_am IS NULL)
  RETURNING post_id`;

/** Resolves with how many mails. */
export async function release(client: pg.PoolClient, mandant: MandantId): Promise<number> {
  const { rows } = await client.query<{ post_id: string }>(RELEASE, [mandant]);
  for (const { post_id } of rows) await enqueueFor(client, mandant, versenden, { post_id });
  return rows.length;
}

export const freigebenJob = ({ owner }: Pick<JobContext, 'owner'>): Job =>
  handle(freigeben, async ({ mandant }) => ({
    freigegeben: await owner.transaction((client) => release(client, mandant)),
  }));
