/** The month as a FOCUS dataset: what was paid to providers, by end customer, day and model. */
import type { Readable } from 'node:stream';
import { readMandant } from '#domains/mandant/index.ts';
import { consumptionByEngine } from '#domains/verbrauch/index.ts';
import { toUtc } from '#kernel/zeitraum.ts';
import { type Shared, startArchive } from '#platform/archive-room.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Snapshot } from '#platform/database/index.ts';
import { type FocusInfo, type FocusRow, writeFocus } from '../focus/write.ts';
import type { Line } from '../line.ts';
import { dayIn, requireMonth, windowOf } from '../month.ts';
import {
  countStoredUnpriced,
  isKeptByDay,
  type StoredPosten,
  storedUse,
  type UseOfCustomer,
} from '../store/posten.ts';
import { focusBehind } from './behind-lines.ts';
import { type Bill, billOf } from './bill.ts';
import { type Moment, momentOf } from './moment.ts';
import { type FileOrder, sealingOf, writeText } from './sealed-file.ts';

/** Providers as finance tools know them; any other is called what calls call it. */
const PROVIDERS: FocusInfo['anbieter'] = Object.fromEntries(
  [
    ['openai', 'OpenAI'],
    ['anthropic', 'Anthropic'],
    ['google', 'Google'],
    ['mistral', 'Mistral AI'],
    ['azure', 'Microsoft'],
    ['bedrock', 'AWS'],
    ['deepseek', 'DeepSeek'],
    ['perplexity', 'Perplexity'],
    ['openrouter', 'OpenRouter'],
  ].map(([key, name]) => [key, { name, hersteller: name }]),
);
/** Where nobody knows which of several it was, and where calls name none. */
const SEVERAL = 'verschiedene';
const NONE = 'unbekannt';

interface Use {
  endkunde: FocusRow['endkunde'];
  part: StoredPosten;
  /** Where use is not kept by provider: the one of a model, if there is one. */
  providers: ReadonlyMap<string, string | null>;
}

type Period = Pick<FocusRow, 'von' | 'bis'>;

/** The month, or a day of it: each is worked out once. */
function periodsOf({ window }: Bill): (tag: string | undefined) => Period {
  const toPeriod = ({ von, bis }: Bill['window']): Period => ({ von: toUtc(von), bis: toUtc(bis) });
  const days = new Map<string | undefined, Period>([[undefined, toPeriod(window)]]);
  return (tag) =>
    days.getOrInsertComputed(tag, (day) => toPeriod(dayIn(day as string, window.von.timeZoneId)));
}

/** Parts that were not kept apart have neither a provider nor a model of their own. */
function rowOf(period: Period, { endkunde, part, providers }: Use): FocusRow {
  const { schluessel, anbieter } = part;
  const known = schluessel === null ? null : (providers.get(schluessel) ?? null);
  return {
    art: 'verbrauch',
    ...period,
    endkunde,
    anbieter: anbieter === undefined ? known : anbieter || NONE,
    modell: schluessel === null ? SEVERAL : schluessel || NONE,
    aufrufe: Number(part.aufrufe),
    eingabe_token: BigInt(part.eingabe_token),
    ausgabe_token: BigInt(part.ausgabe_token),
    token: part.token ? BigInt(part.token) : null,
    kosten_eur: part.kosten_eur,
    kosten_usd: part.kosten_usd,
  };
}

/** It is billed in this month, for calls of that one. */
function correctionRow(bill: Bill, line: Line, zone: string): FocusRow {
  const { von, bis } = windowOf(line.monat, bill.months.get(line.monat)?.zeitzone ?? zone);
  return {
    art: 'korrektur',
    von: toUtc(von),
    bis: toUtc(bis),
    endkunde: { referenz: line.zahler, name: line.name },
    anbieter: null,
    modell: `Korrektur ${line.monat}`,
    aufrufe: line.aufrufe,
    eingabe_token: 0n,
    ausgabe_token: 0n,
    token: 0n,
    kosten_eur: line.kosten_eur,
    kosten_usd: null,
  };
}

type UnpricedCalls = Pick<Line, 'unbepreist'>;

/** What is behind those lines of an open month, first behind calls that name no end customer. */
const countedPages = (
  moment: Moment,
  bill: Bill,
  those: (line: UnpricedCalls) => boolean,
): AsyncIterable<UseOfCustomer[]> =>
  focusBehind(moment, bill, [
    ...(those(bill.without) ? [{ referenz: '' }] : []),
    ...bill.lines.filter(those),
  ]);

/** How many rows are left out: only where calls have no price there are any. */
async function countLeftOut(moment: Moment, bill: Bill): Promise<number> {
  if (bill.closed) return countStoredUnpriced(moment.tx, bill.monat);
  let count = 0;
  for await (const page of countedPages(moment, bill, ({ unbepreist }) => unbepreist > 0))
    for (const { posten } of page) count += posten.filter(({ kosten_eur }) => kosten_eur === null).length;
  return count;
}

/** The provider of each model in a month that was closed without keeping it; null where calls name several, or none. */
async function providersOf(
  { tx, engine }: Moment,
  { window, closed, monat }: Bill,
): Promise<Use['providers']> {
  const providers = new Map<string, string | null>();
  if (!closed || (await isKeptByDay(tx, monat))) return providers;
  const { zeilen } = await consumptionByEngine(engine, tx, { window, by: ['modell', 'anbieter'] });
  for (const {
    schluessel: [modell = '', anbieter = ''],
  } of zeilen)
    providers.set(modell, providers.has(modell) ? null : anbieter || null);
  return providers;
}

async function* rowsOf(
  snapshot: Snapshot,
  moment: Moment,
  bill: Bill,
  providers: Use['providers'],
): AsyncGenerator<FocusRow[], void> {
  const periodOf = periodsOf(bill);
  const names = new Map(bill.lines.map(({ referenz, name }) => [referenz, name]));
  const used = bill.closed ? storedUse(snapshot, bill.monat) : countedPages(moment, bill, () => true);
  for await (const page of used)
    yield page.flatMap(({ referenz, posten }) => {
      const endkunde = referenz === '' ? null : { referenz, name: names.get(referenz) ?? null };
      return posten.map((part) => rowOf(periodOf(part.tag), { endkunde, part, providers }));
    });
  yield bill.corrections.map((line) => correctionRow(bill, line, moment.zone));
}

/** A row, in bytes, and how many an end customer has: a few models each day. */
const EXPECTED_ROW = 400;
const EXPECTED_ROWS = 60;

const expectedBytes = ({ lines }: Bill): number =>
  lines.reduce((sum, { aufrufe }) => sum + Math.min(aufrufe, EXPECTED_ROWS) * EXPECTED_ROW, 0);

/**
 * Begins the CSV of a month; resolves once there is something to read, with how many rows are not in it because their cost is unknown. Throws
 * 422, 429 when too many are under way, 503 without room for it.
 */
export const startFocus = (
  context: ServiceContext,
  shared: Shared,
  order: FileOrder,
): Promise<{ stream: Readable; fileName: string; ausgelassen: number }> =>
  startArchive<{ fileName: string; ausgelassen: number }>(
    context.log,
    shared,
    order.mandant,
    ({ open, started }) =>
      context.db.snapshot(order.mandant, async (snapshot) => {
        const { tx } = snapshot;
        const { firma, zeitzone: zone } = await readMandant(tx);
        const now = context.clock.now().toTemporalInstant();
        const moment = momentOf(context, { tx, now, zone });
        const bill = await billOf(moment, requireMonth(order.monat, now, zone));
        const ausgelassen = await countLeftOut(moment, bill);
        const providers = await providersOf(moment, bill);
        const info: FocusInfo = {
          konto: { id: order.mandant, name: firma },
          von: toUtc(bill.window.von),
          bis: toUtc(bill.window.bis),
          anbieter: PROVIDERS,
          ohne_anbieter: SEVERAL,
        };
        const writer = await open(expectedBytes(bill));
        started({ fileName: `focus-${bill.monat}.csv`, ausgelassen });
        const rows = writeFocus(info, rowsOf(snapshot, moment, bill, providers));
        await writeText(rows, sealingOf(context, order, { format: 'focus', bill }), writer, shared.longest);
      }),
  );
