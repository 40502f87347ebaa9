/** The course of the demo on a running service: account, past, present. */
import { systemClock } from '#kernel/clock.ts';
import type { Service } from '#main/service.ts';
import { VERSION } from '#main/version.ts';
import { createArchiveRoom } from '#platform/archive-room.ts';
import type { Config } from '#platform/config.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createPool, createRequestDatabase } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { createDocuments } from '#platform/documents.ts';
import type { Log } from '#platform/log.ts';
import { mailwegOf } from '#platform/mail.ts';
import { createMetrics } from '#platform/metrics.ts';
import { createOutbound, networksOf } from '#platform/outbound.ts';
import { createSecretBox, loadSecretKey } from '#platform/secret-box.ts';
import { createThrottle } from '#platform/throttle.ts';
import { FILLED_DAYS, openAccount } from './account.ts';
import { welcome } from './announce.ts';
import { setBilling } from './billing.ts';
import { fill } from './fill.ts';
import { runLive } from './live.ts';
import { type Looped, loopNowAndThen, PACE } from './loop.ts';
import { createProgress, formatCount } from './progress.ts';
import { type Ask, arm, attempt, avoidedBy, receiveAlarms, setBudgets, signIn } from './protection.ts';
import { createServiceClient, isAccepted, type ServiceClient, ServiceRefused } from './service-client.ts';
import { type DemoState, stateFile, writeState } from './state.ts';
import { BUSINESS, createShare, traffic, type World } from './traffic.ts';

const DAY = 86_400_000;
const STATEMENT_TIMEOUT = 10_000;
const SAVE_EVERY_MS = 10_000;

/** Changes what the demo remembers and writes it down. */
type Save = (change: Partial<DemoState>) => void;

interface Opened {
  state: DemoState;
  client: ServiceClient;
  address: string;
}

async function open(config: Config, service: Service, log: Log, signal: AbortSignal): Promise<Opened> {
  const { address, connection, requests } = service;
  if (address === null) throw new Error('the demo needs a service that listens');
  const options = { max: 2, statementTimeout: STATEMENT_TIMEOUT, name: 'demo' };
  const owner = createOwnerDatabase(createPool({ ...options, connection }, log));
  const db = createRequestDatabase(createPool({ ...options, connection: requests, pipeline: true }, log));
  const context: ServiceContext = {
    db,
    clock: systemClock,
    log,
    metrics: createMetrics(),
    config,
    secrets: createSecretBox(loadSecretKey(config.secretKey, config.dataDir)),
    outbound: createOutbound(networksOf(config.allowedNetworks)),
    throttle: createThrottle({ db, log }),
    documents: createDocuments(log),
    spools: createArchiveRoom(config),
    version: VERSION,
  };
  const clientWith = (key: string) => createServiceClient(address, key, signal);
  try {
    const state = await openAccount(context, owner, config.dataDir, (key) => isAccepted(clientWith(key)));
    // With port 0 the configuration does not know where the service listens.
    const shown = config.port === 0 ? address : config.baseUrl;
    return { state, client: clientWith(state.schluessel), address: shown };
  } finally {
    await Promise.all([db.close(), owner.close(), context.documents.stop()]);
  }
}

/**
 * Where to go on: where the last start ended, but when everything was filled before not more than 30 days ago, so that
 * a demo that rested for long is filled as a new one is.
 */
function resumeAt(state: DemoState, now: number): number {
  const sent = Date.parse(state.gesendet_bis);
  return state.gefuellt ? Math.max(sent, now - FILLED_DAYS * DAY) : sent;
}

/** The first fill is shown as a whole, however often it was interrupted; what comes later by itself. */
async function startingPoint(client: ServiceClient, state: DemoState, von: number) {
  if (state.gefuellt) return { von, sent: 0, counted: await client.counted() };
  return { von: Date.parse(state.beginn) - FILLED_DAYS * DAY, sent: state.eingespielt, counted: 0 };
}

/** Fills what is missing up to now; returns the instant up to which everything is sent (epoch milliseconds). */
async function catchUp(client: ServiceClient, world: World, state: DemoState, save: Save): Promise<number> {
  const now = Date.now();
  const von = resumeAt(state, now);
  const before = await startingPoint(client, state, von);
  const shareBefore = createShare(world, BUSINESS, { von: before.von, bis: now });
  const progress = createProgress();
  let sent = { events: before.sent, share: shareBefore(von) };
  let counted = (await client.counted()) - before.counted;
  const show = () => {
    const done = Math.min(counted, sent.events);
    progress.update(done, sent.events === 0 ? 0 : (sent.share * done) / sent.events);
  };
  if (!state.gefuellt) console.log('Die letzten 30 Tage der Demo werden eingespielt und gezählt.');
  await fill(client, traffic(world, BUSINESS, { von, bis: now }), {
    onAccepted(events, until) {
      sent = { events: before.sent + events, share: shareBefore(until) };
      const first = state.gefuellt ? {} : { eingespielt: sent.events };
      save({ gesendet_bis: new Date(until).toISOString(), ...first });
      show();
    },
    onCounted(events) {
      counted = events - before.counted;
      show();
    },
  });
  const until = Math.max(now, von);
  save({ gesendet_bis: new Date(until).toISOString(), gefuellt: true });
  if (counted > 0) progress.finish(`${formatCount(counted)} Aufrufe eingespielt und gezählt.`);
  return until;
}

async function stayLive(client: ServiceClient, world: World, von: number, save: Save, signal: AbortSignal) {
  let sent = von;
  let saved = von;
  const remember = () => {
    saved = sent;
    save({ gesendet_bis: new Date(sent).toISOString() });
  };
  try {
    await runLive(client, world, von, signal, (until) => {
      sent = until;
      if (sent - saved > SAVE_EVERY_MS) remember();
    });
  } catch (error) {
    if (!(error instanceof ServiceRefused)) throw error;
    console.error(
      `Der Dienst nimmt den Verkehr der Demo nicht mehr an (HTTP ${error.status}); vermutlich ist ihr Schlüssel gesperrt. Ein Neustart der Demo legt einen neuen an.`,
    );
  } finally {
    remember();
  }
}

const EUR = new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' });

/** Says that a loop was stopped, and what that avoided. */
async function tellOf({ lauf, calls, eingriff }: Looped, ask: Ask | null): Promise<void> {
  if (!eingriff) return;
  console.log(`       Der Lauf ist nach ${calls} Aufrufen stehen geblieben.`);
  // What cannot be asked now stands in the cockpit all the same.
  const eur = ask && (await avoidedBy(ask, lauf).catch(() => null));
  if (eur)
    console.log(
      `       Vermieden, geschätzt: ${EUR.format(eur as Intl.StringNumericLiteral)}. So weit kam ein ähnlicher Lauf noch, den niemand anhielt.`,
    );
}

/**
 * Opens the demo's account, fills its past, says where the cockpit is and sends live traffic until `signal` is aborted
 * (then it rejects with the abort). Throws `DemoRefused` when the database belongs to somebody else.
 */
export async function play(config: Config, service: Service, log: Log, signal: AbortSignal): Promise<void> {
  const opened = await open(config, service, log, signal);
  const { client, address } = opened;
  let { state } = opened;
  const save: Save = (change) => {
    state = { ...state, ...change };
    writeState(config.dataDir, state);
  };
  const alarms = await receiveAlarms((titel, text) => console.log(`\nAlarm: ${titel}\n       ${text}`));
  const ask = await attempt('Kein Lauf wird angehalten, kein Alarm geht hinaus.', signal, async () => {
    const signedIn = await signIn(service.address ?? address, state);
    await arm(signedIn, alarms.address, signal);
    return signedIn;
  });
  const world: World = { seed: state.seed, beginn: Date.parse(state.beginn) };
  const isFirst = !state.gefuellt;
  const sentUntil = await catchUp(client, world, state, save);
  // Later ones are the visitor's.
  if (isFirst && ask) await attempt('Es gibt keine Budgets.', signal, () => setBudgets(ask));
  if (isFirst && ask) await attempt('Endkunden haben keine Aufschläge.', signal, () => setBilling(ask));
  const counted = formatCount(await client.counted());
  console.log(welcome(address, state, counted, stateFile(config.dataDir), mailwegOf(config)));
  const reach = { address: service.address ?? address, key: opened.state.schluessel ?? '' };
  const looping = loopNowAndThen(reach, PACE, signal, (looped) => tellOf(looped, ask));
  try {
    await Promise.all([stayLive(client, world, sentUntil, save, signal), looping]);
  } finally {
    await alarms.stop();
  }
}
