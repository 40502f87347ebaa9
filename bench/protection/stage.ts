/**
 * The real service, whose clock is that of a stream: what is sent is counted and looked at step by step, as the counting side does it by
 * itself. Rules are those that every Mandant begins with, all of them armed.
 */
import { type Eingriff, eingriffeIn } from '#client/eingriffe/eingriff.ts';
import { createLookout, detektorenJobs, record, runDetectors } from '#domains/detektoren/index.ts';
import { RunMemory } from '#domains/laeufe/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { regelnJobs } from '#domains/regeln/index.ts';
import { createCountingWorker, createMarkConsumer } from '#domains/zaehlung/index.ts';
import type { JobContext } from '#jobs/index.ts';
import { createRunner } from '#jobs/runner.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { MEMORY } from '#platform/memory.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import type { TestService } from '#test/service.ts';
import type { PlannedCall } from './planned.ts';

const RATE = '0.86';
const HARD_BUDGETS = `UPDATE regeln SET stufe = 'sperren' WHERE mandant_id = $1 AND typ = 'budget_schwelle'`;
/** In one request. */
const MOST_EVENTS = 100;

/** What the clock causes has no row of its own here. */
const NO_CLAIM = { mandant_id: '', auftrag_id: '', fassung: 1, nutzlast: {}, versuche: 1, fehler: null };

export interface Sender {
  mandant: string;
  /** Sends calls that have been made; the clock stands where it was set. */
  send(calls: readonly PlannedCall[]): Promise<void>;
  /** What is in force, as a client reads it. */
  orders(): Promise<Eingriff[]>;
  /** Sets the budget of an agent, which is known by its calls. */
  setBudget(budget: { agent: string; eur: string; hard: boolean }): Promise<void>;
  rows<R>(text: string): Promise<R[]>;
  /** Its rules cost nothing any more. */
  leave(): Promise<void>;
}

export interface Stage {
  /** When streams begin, epoch milliseconds. */
  begin: number;
  newSender(): Promise<Sender>;
  /** Lets milliseconds of the stream go by. */
  setTime(milliseconds: number): void;
  /** Counts what was sent, and looks at it. */
  settle(): Promise<void>;
  /** What happens every five minutes. */
  lookAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** A Monday so long ago that nothing of the stream lies ahead. */
function beginOf(days: number): number {
  const earliest = Temporal.Now.zonedDateTimeISO('Europe/Berlin').startOfDay().subtract({ days });
  return earliest.subtract({ days: earliest.dayOfWeek - 1 }).epochMilliseconds;
}

/** What reads the time by itself reads that of the stream, too: sums by the minute are kept of the last days only. */
function moveDate(now: () => number): () => void {
  const real = Date.now;
  Date.now = now;
  return () => {
    Date.now = real;
  };
}

/** The counting side: what it does by itself, done when it is asked for. */
function countingSide(service: TestService, owner: OwnerDatabase) {
  const { log } = service.context;
  const { now } = service.clock;
  const prices = createPriceList();
  const context = { ...service.context, owner } as unknown as JobContext;
  const runs = new RunMemory(MEMORY.runs);
  const worker = createCountingWorker({ db: owner, log, prices, substituteRate: RATE, runs });
  const lookOut = createLookout({ log, now, runs });
  const consumer = createMarkConsumer({ db: owner, log, handlers: [lookOut] });
  const jobs = detektorenJobs(context, prices).filter(({ id }) => id === 'detektoren.wiederholungen');
  const runner = createRunner({ jobs, db: owner, log, observe: () => undefined });
  return {
    async settle() {
      await worker.drain();
      await consumer.drain();
      await runner.runDue();
    },
    async lookAgain() {
      await runDetectors({ owner, prices, log, record }, now());
      await runner.runDue();
    },
    async putDefaults() {
      const rules = regelnJobs(context).find(({ id }) => id === 'regeln.vorgabe_nachholen');
      await rules?.run(NO_CLAIM);
    },
    stop: () => runner.stop(),
  };
}

/** A stage for streams of `days`, on a service that nobody else uses. */
export function createStage(service: TestService, days: number): Stage {
  const { clock, connection, context } = service;
  const begin = beginOf(days);
  const owner = createOwnerDatabase(
    createPool({ connection, max: 4, statementTimeout: 120_000, name: 'stage' }, context.log),
  );
  const counting = countingSide(service, owner);
  const senders: Sender[] = [];
  const setTime = (milliseconds: number) => clock.set(new Date(begin + milliseconds).toISOString());
  setTime(0);
  const giveBackDate = moveDate(() => clock.now().getTime());
  const thenForget = (work: () => Promise<void>) => async () => {
    await work();
    for (const { mandant } of senders) service.inForce.forget(mandant);
  };
  return {
    begin,
    setTime,
    settle: thenForget(counting.settle),
    lookAgain: thenForget(counting.lookAgain),
    async newSender() {
      const account = await registerAccount(service);
      await counting.putDefaults();
      await owner.query('UPDATE regeln SET schattenbetrieb = false WHERE mandant_id = $1', [
        account.mandantId,
      ]);
      const { secret } = await createKey(service, account);
      const sender = createSender(service, { begin, owner, account, secret });
      senders.push(sender);
      return sender;
    },
    async stop() {
      giveBackDate();
      await counting.stop();
      await owner.close();
    },
  };
}

interface SenderOptions {
  begin: number;
  owner: OwnerDatabase;
  account: Account;
  secret: string;
}

function createSender(service: TestService, { begin, owner, account, secret }: SenderOptions): Sender {
  const mandant = account.mandantId;
  const byKey = { authorization: `Bearer ${secret}` };
  const bySession = { cookie: account.cookie };
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, headers: object, payload?: object) => {
    const more = payload ? { payload } : {};
    const answer = await service.app.inject({ method, url, headers: { ...headers }, ...more });
    if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
    return answer.body;
  };
  const toEvent = ({ at, event }: PlannedCall) => ({
    ...event,
    zeitpunkt: new Date(begin + at).toISOString(),
  });
  return {
    mandant,
    async send(calls) {
      for (let from = 0; from < calls.length; from += MOST_EVENTS) {
        const ereignisse = calls.slice(from, from + MOST_EVENTS).map(toEvent);
        await ask('POST', '/v1/ereignisse', byKey, { ereignisse });
      }
    },
    async orders() {
      await service.inForce.refresh(mandantId(mandant));
      return eingriffeIn(await ask('GET', '/v1/eingriffe/aktiv', byKey)) ?? [];
    },
    async setBudget({ agent, eur, hard }) {
      const search = `/v1/cockpit/agenten?suche=${encodeURIComponent(agent)}`;
      const { agenten } = JSON.parse(await ask('GET', search, bySession)) as {
        agenten: [{ agent_id: string }];
      };
      const path = `/v1/cockpit/agenten/${agenten[0].agent_id}/budget`;
      await ask('PUT', path, bySession, { betrag_eur: eur });
      if (hard) await owner.query(HARD_BUDGETS, [mandant]);
    },
    rows: async <R>(text: string) => (await owner.query(text, [mandant])).rows as R[],
    async leave() {
      await owner.query('UPDATE regeln SET aktiv = false WHERE mandant_id = $1', [mandant]);
    },
  };
}
