/** The month as a FOCUS dataset: what was paid to providers, by end customer and model. */
import type { Readable } from 'node:stream';
import { readMandant } from '#domains/mandant/index.ts';
import { engineOf } from '#domains/verbrauch/index.ts';
import { toUtc } from '#kernel/zeitraum.ts';
import { type Shared, startArchive } from '#platform/archive-room.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Snapshot } from '#platform/database/index.ts';
import { type FocusInfo, type FocusRow, writeFocus } from '../focus/write.ts';
import type { Line } from '../line.ts';
import { requireMonth, windowOf } from '../month.ts';
import {
  countedModels,
  countStoredUnpriced,
  type ModelsOfCustomer,
  providersOf,
  type StoredPosten,
  storedModels,
} from '../store/posten.ts';
import { type Bill, billOf } from './bill.ts';
import type { Moment } from './moment.ts';
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
  ].map(([key, name]) => [key, { name, hersteller: name, rechnungssteller: name }]),
);
const SEVERAL = 'verschiedene';

function rowOf(
  bill: Bill,
  { referenz, name }: { referenz: string; name: string | null },
  part: StoredPosten,
  anbieter: string | null,
): FocusRow {
  return {
    art: 'verbrauch',
    von: toUtc(bill.window.von),
    bis: toUtc(bill.window.bis),
    endkunde: referenz === '' ? null : { referenz, name },
    anbieter,
    modell: part.schluessel || 'unbekannt',
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

/** The references that count for each line of an open month, in its order; first those calls that name none. */
const countedFor = ({ lines, customers }: Bill, those: (line: Pick<Line, 'unbepreist'>) => boolean) =>
  lines.filter(those).map(({ referenz }) => {
    const row = customers.charged(referenz);
    return row ? customers.references(row).map((each) => each.referenz) : [referenz];
  });

/** What stands behind so many lines is in memory at a time. */
const LINES_AT_ONCE = 500;

/** Of those lines of an open month, and of calls without an end customer. */
async function* countedPages(
  { tx, now }: Moment,
  bill: Bill,
  those: (line: Pick<Line, 'unbepreist'>) => boolean,
): AsyncGenerator<ModelsOfCustomer[], void> {
  const references = [...(those(bill.without) ? [['']] : []), ...countedFor(bill, those)];
  for (let at = 0; at < references.length; at += LINES_AT_ONCE) {
    const some = references.slice(at, at + LINES_AT_ONCE).flat();
    const found = await countedModels(tx, bill.window, some, now);
    yield found.toSorted((a, b) => (a.referenz < b.referenz ? -1 : 1));
  }
}

/** How many rows are left out: only where calls have no price there are any. */
async function countLeftOut(moment: Moment, bill: Bill): Promise<number> {
  if (bill.closed) return countStoredUnpriced(moment.tx, bill.monat);
  let count = 0;
  for await (const page of countedPages(moment, bill, ({ unbepreist }) => unbepreist > 0))
    for (const { posten } of page) count += posten.filter(({ kosten_eur }) => kosten_eur === null).length;
  return count;
}

async function* rowsOf(snapshot: Snapshot, moment: Moment, bill: Bill): AsyncGenerator<FocusRow[], void> {
  const { tx, now, zone } = moment;
  const providers = await providersOf(tx, bill.window, now);
  const names = new Map(bill.lines.map(({ referenz, name }) => [referenz, name]));
  const used = bill.closed ? storedModels(snapshot, bill.monat) : countedPages(moment, bill, () => true);
  for await (const page of used)
    yield page.flatMap(({ referenz, posten }) => {
      const whose = { referenz, name: names.get(referenz) ?? null };
      return posten.map((part) => rowOf(bill, whose, part, providers.get(part.schluessel) ?? null));
    });
  yield bill.corrections.map((line) => correctionRow(bill, line, zone));
}

/** What an end customer used, in bytes: a few models. */
const EXPECTED = 2_000;

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
        const moment: Moment = { tx, engine: engineOf(context), now, zone };
        const bill = await billOf(moment, requireMonth(order.monat, now, zone));
        const ausgelassen = await countLeftOut(moment, bill);
        const info: FocusInfo = {
          konto: { id: order.mandant, name: firma },
          von: toUtc(bill.window.von),
          bis: toUtc(bill.window.bis),
          anbieter: PROVIDERS,
          ohne_anbieter: SEVERAL,
        };
        const writer = await open(bill.lines.length * EXPECTED);
        started({ fileName: `focus-${bill.monat}.csv`, ausgelassen });
        const rows = writeFocus(info, rowsOf(snapshot, moment, bill));
        await writeText(rows, sealingOf(context, order, { format: 'focus', bill }), writer, shared.longest);
      }),
  );
