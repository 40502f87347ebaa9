/** Reserves money for calls: those that wait for one Mandant are decided together, in one transaction. */
import { v7 as uuidv7 } from 'uuid';
import type { BodyOf, ResponseOf, reservierungenAnlegen } from '#contracts';
import { readChosenProjects } from '#domains/katalog/index.ts';
import { readMandant } from '#domains/mandant/index.ts';
import {
  asRequest,
  createPricesOf,
  followPriceList,
  type PriceList,
  readRateOfDay,
} from '#domains/preise/index.ts';
import { engineOf } from '#domains/verbrauch/index.ts';
import { enqueue } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { eurFrom } from '#kernel/money.ts';
import { forSeveral } from '#platform/caller.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { KeyPrincipal } from '#platform/principal.ts';
import { tooManyReservations } from './errors.ts';
import { type HardLimit, objectOf, readHardLimits } from './hard-limits.ts';
import { type HighestCost, highestCost } from './highest-cost.ts';
import { ausgeschoepftMelden } from './jobs/ausgeschoepft-melden.ts';
import { MAX_OPEN, MAX_TOGETHER } from './limits.ts';
import { type Decision, decide, type LimitStanding } from './rules.ts';
import { type About, readStandings } from './spent.ts';
import { type Block, insertBlocks, lockReservations, readReserved, removeOver, takeOff } from './store.ts';
import { agentOf, tagsOf, type Wish } from './tags.ts';
import { toApi } from './to-api.ts';
import { createToldLimits, payloadOf, type UsedUp, usedUpIn } from './used-up.ts';

type Body = BodyOf<typeof reservierungenAnlegen>;
type Answer = ResponseOf<typeof reservierungenAnlegen>;
type Asker = Pick<KeyPrincipal, 'mandant' | 'schluesselId' | 'projekt'>;

interface Waiting {
  asker: Asker;
  body: Body;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** A wish with all that decides about it. */
interface Weighed {
  tags: string[];
  about: About[];
  cost: HighestCost;
  vorrat: number;
}

/** How old the price list may be that is looked at. */
const LIST_MS = 5_000;

class Reserving {
  readonly #context: ServiceContext;
  readonly #list: PriceList;
  readonly #pricesOf;
  readonly #queues = new Map<MandantId, Waiting[]>();
  readonly #told = createToldLimits();
  #listReadAt = Number.NEGATIVE_INFINITY;

  constructor(context: ServiceContext) {
    this.#context = context;
    this.#list = followPriceList({ db: asRequest(context), log: context.log }).prices;
    this.#pricesOf = createPricesOf(this.#list);
  }

  reserve(asker: Asker, body: Body): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const queue = this.#queues.get(asker.mandant);
    const waiting = { asker, body, resolve, reject };
    if (queue) queue.push(waiting);
    else {
      this.#queues.set(asker.mandant, [waiting]);
      void forSeveral(() => this.#work(asker.mandant));
    }
    return promise;
  }

  async #work(mandant: MandantId): Promise<void> {
    const queue = this.#queues.get(mandant) ?? [];
    while (queue.length > 0) {
      const together = takeTogether(queue);
      try {
        await this.#refreshList();
        const { answers, usedUp } = await this.#context.db.forMandant(mandant, (tx) =>
          this.#decide(tx, together),
        );
        this.#told.remember(mandant, usedUp);
        for (const [index, { resolve, reject }] of together.entries()) {
          const answer = answers[index];
          if (answer) resolve(answer);
          else reject(tooManyReservations());
        }
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    this.#queues.delete(mandant);
  }

  async #refreshList(): Promise<void> {
    if (performance.now() - this.#listReadAt < LIST_MS) return;
    await this.#list.refresh?.();
    this.#listReadAt = performance.now();
  }

  /** One answer for each of them, null where too many blocks are open. */
  async #decide(
    tx: MandantTx,
    together: Waiting[],
  ): Promise<{ answers: (Answer | null)[]; usedUp: UsedUp[] }> {
    const now = this.#context.clock.now();
    await lockReservations(tx);
    const back = together.flatMap(({ body }) => body.zurueck);
    await takeOff(
      tx,
      back.map(({ reservierung_id: id, betrag_eur }) => ({ id, amount: eurFrom(betrag_eur) })),
    );
    await removeOver(tx, now);
    const limits = await readHardLimits(tx);
    const zone = (await readMandant(tx))?.zeitzone ?? 'UTC';
    const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
    const weighed = await this.#weigh(tx, together, limits, local);
    const all = weighed.flat();
    const objekte = [...new Set(all.flatMap(({ about }) => about.map(({ objekt }) => objekt)))];
    // Before what is spent: a call that is counted in between is in both, never in neither.
    const { open, reserved } = await readReserved(tx, objekte, now);
    const standings = standingsByKey(
      await readStandings(engineOf(this.#context), tx, distinct(all.flatMap(({ about }) => about)), local),
    );
    const decisions = decide(
      all.map(({ tags, about, cost, vorrat }) => ({
        tags,
        vorrat,
        highest: cost.eur,
        standings: about.flatMap((each) => standings.get(keyOf(each)) ?? []),
      })),
      reserved,
    );
    const answers = await this.#record(tx, together, weighed, decisions, open, now);
    const usedUp = this.#told.newOf(tx.mandant, usedUpIn(decisions, all));
    for (const each of usedUp) await enqueue(tx, ausgeschoepftMelden, payloadOf(each, now));
    return { answers, usedUp };
  }

  async #weigh(
    tx: MandantTx,
    together: Waiting[],
    limits: HardLimit[],
    local: Temporal.ZonedDateTime,
  ): Promise<Weighed[][]> {
    const wishes = together.flatMap(({ body }) => body.aufrufe);
    const agentProjekte = await readChosenProjects(tx, [...new Set(wishes.map(agentOf))]);
    const prices = {
      list: await this.#pricesOf(tx, local.timeZoneId),
      rate: await readRateOfDay(tx, local.toPlainDate().toString(), this.#context.config.usdEurRate),
      epochMs: local.epochMilliseconds,
    };
    return together.map(({ asker, body }) => {
      const known = { schluesselId: asker.schluesselId, schluesselProjekt: asker.projekt, agentProjekte };
      return body.aufrufe.map((wish: Wish): Weighed => {
        const tags = tagsOf(wish, known);
        const about = limits.flatMap((limit): About[] => {
          const objekt = objectOf(limit, tags);
          return objekt === null ? [] : [{ limit, objekt }];
        });
        return { tags, about, cost: highestCost(wish, prices), vorrat: wish.vorrat ?? 1 };
      });
    });
  }

  async #record(
    tx: MandantTx,
    together: Waiting[],
    weighed: Weighed[][],
    decisions: Decision[],
    open: number,
    now: Date,
  ): Promise<(Answer | null)[]> {
    let next = 0;
    let blocks = open;
    const answers: (Answer | null)[] = [];
    for (const [index, { body }] of together.entries()) {
      const own = weighed[index] as Weighed[];
      const decided = decisions.slice(next, next + own.length);
      next += own.length;
      const to = new Date(now.getTime() + body.dauer_s * 1_000);
      const made = decided.map((decision, place): Block | null =>
        decision.kind === 'granted' && decision.amount !== null
          ? { id: uuidv7(), amount: decision.amount, tags: own[place]?.tags ?? [] }
          : null,
      );
      const kept = made.filter((block) => block !== null);
      blocks += kept.length;
      if (kept.length > 0 && blocks > MAX_OPEN) {
        answers.push(null);
        continue;
      }
      await insertBlocks(tx, kept, { from: now, to });
      answers.push({
        reservierungen: decided.map((decision, place) =>
          toApi(decision, (own[place] as Weighed).cost, made[place] ?? null, to),
        ),
      });
    }
    return answers;
  }
}

/** Takes as many of those that wait as are decided together. */
function takeTogether(queue: Waiting[]): Waiting[] {
  const taken: Waiting[] = [];
  for (let wishes = 0; queue.length > 0; ) {
    wishes += queue[0]?.body.aufrufe.length ?? 0;
    if (taken.length > 0 && wishes > MAX_TOGETHER) break;
    taken.push(queue.shift() as Waiting);
  }
  return taken;
}

const keyOf = ({ limit, objekt }: About): string =>
  `${limit.art} ${limit.regelId} ${limit.bereich} ${limit.objekt} ${objekt}`;

const distinct = (about: About[]): About[] => [...new Map(about.map((each) => [keyOf(each), each])).values()];

const standingsByKey = (standings: LimitStanding[]): Map<string, LimitStanding> =>
  new Map(standings.map((each) => [keyOf(each), each]));

/** Decides about all wishes of this process. */
export const createReserving = (context: ServiceContext): Pick<Reserving, 'reserve'> =>
  new Reserving(context);
