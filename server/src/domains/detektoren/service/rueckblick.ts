/** Having a rule held against past days, and what came of it. */
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { BodyOf, entwurfRueckblick, ResponseOf, regelRueckblick } from '#contracts';
import { lockMandant } from '#domains/mandant/index.ts';
import { draftChange, draftRule, type RegelVon } from '#domains/regeln/index.ts';
import { enqueue } from '#jobs/index.ts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { requireName } from '#kernel/name.ts';
import type { ServiceContext } from '#platform/context.ts';
import { isDetected } from '../detectors.ts';
import { lookBackMissing, noLookBack, tooManyLooksBack } from '../errors.ts';
import { RUECKBLICK } from '../jobs/rueckblick.ts';
import { LOOKS_BACK, MAX_OPEN } from '../limits.ts';
import { countDays, lastDays } from '../rueckblick/tage.ts';
import {
  countOpen,
  deleteRueckblick,
  insertRueckblick,
  type RueckblickRow,
  readRueckblick,
} from '../store.ts';

type Context = Pick<ServiceContext, 'db' | 'clock' | 'throttle'>;
type Answer = ResponseOf<typeof regelRueckblick>;

/** How long an answer waits for the end, and between two looks, in milliseconds. */
const PATIENCE = 2_000;
const LOOK = 100;
const KEPT_MS = 3_600_000;

function toAnswer(row: RueckblickRow): Answer {
  const zeitraum = { von: Temporal.PlainDate.from(row.von), bis: Temporal.PlainDate.from(row.bis) };
  return { ...row, tage: countDays(zeitraum), laeuft_ab_am: toInstant(row.laeuft_ab_am) };
}

/** Throws 404. */
export async function readLookBack(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  mandant: MandantId,
  id: string,
): Promise<Answer> {
  const row = await db.forMandant(mandant, (tx) => readRueckblick(tx, id, clock.now()));
  if (!row) throw lookBackMissing();
  return toAnswer(row);
}

/** Ends it with the day it is at. Throws 404. */
export async function endLookBack(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  mandant: MandantId,
  id: string,
): Promise<Answer> {
  const row = await db.forMandant(mandant, (tx) => deleteRueckblick(tx, id, clock.now()));
  if (!row) throw lookBackMissing();
  return toAnswer(row);
}

/** Puts it in; resolves with its id. Throws 409 while too many are under way. */
function put({ db, clock }: Context, mandant: MandantId, regel: RegelVon, tage: number): Promise<string> {
  return db.forMandant(mandant, async (tx) => {
    const { zeitzone } = await lockMandant(tx);
    const now = clock.now();
    if ((await countOpen(tx, now)) >= MAX_OPEN) throw tooManyLooksBack();
    const { von, bis } = lastDays(tage, now.toTemporalInstant(), zeitzone);
    const rueckblick_id = uuidv7();
    await insertRueckblick(tx, {
      rueckblick_id,
      regel,
      zeitzone,
      von: von.toString(),
      bis: bis.toString(),
      now,
      laeuft_ab_am: new Date(now.getTime() + KEPT_MS),
    });
    await enqueue(tx, RUECKBLICK, { rueckblick_id });
    return rueckblick_id;
  });
}

/** Has it worked out, and waits for that a moment. */
async function ask(context: Context, mandant: MandantId, regel: RegelVon, tage: number): Promise<Answer> {
  if (!isDetected(regel)) throw noLookBack(regel.typ);
  await context.throttle.countSubject(LOOKS_BACK, mandant);
  const id = await put(context, mandant, regel, tage);
  const began = performance.now();
  for (;;) {
    const answer = await readLookBack(context, mandant, id);
    const isOpen = answer.status === 'wartet' || answer.status === 'laeuft';
    if (!isOpen || performance.now() - began > PATIENCE) return answer;
    await delay(LOOK);
  }
}

/** A rule as it is, or would be with these changes. Throws 404, 422, 409 and 429. */
export async function lookBackAtRule(
  context: Context,
  mandant: MandantId,
  regelId: string,
  { tage, ...change }: BodyOf<typeof regelRueckblick>,
): Promise<Answer> {
  return ask(context, mandant, await draftChange(context, mandant, regelId, change), tage);
}

/** A rule that does not exist yet. Throws 422, 409 and 429. */
export async function lookBackAtDraft(
  context: Context,
  mandant: MandantId,
  { tage, ...input }: BodyOf<typeof entwurfRueckblick>,
): Promise<Answer> {
  if (input.name) requireName('name', input.name);
  return ask(context, mandant, await draftRule(context, mandant, input), tage);
}
