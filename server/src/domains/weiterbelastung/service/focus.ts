/** The month as a FOCUS dataset: what was paid to providers, by end customer and model. */
import { createHash } from 'node:crypto';
import { readMandant } from '#domains/mandant/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { toUtc } from '#kernel/zeitraum.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type FocusInfo, type FocusRow, isTold, writeFocus } from '../focus/write.ts';
import type { Line } from '../line.ts';
import { requireMonth, windowOf } from '../month.ts';
import { countedModels, providersOf, type StoredPart, storedModels } from '../store/parts.ts';
import { type Bill, billOf } from './bill.ts';
import type { Moment } from './moment.ts';

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
  part: StoredPart,
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

async function rowsOf(moment: Moment, bill: Bill): Promise<FocusRow[]> {
  const { tx, now } = moment;
  const used = bill.closed ? await storedModels(tx, bill.monat) : await countedModels(tx, bill.window, now);
  const providers = await providersOf(tx, bill.window, now);
  const names = new Map(bill.lines.map(({ referenz, name }) => [referenz, name]));
  return [
    ...used
      .toSorted((a, b) => (a.referenz < b.referenz ? -1 : 1))
      .flatMap(({ referenz, posten }) =>
        posten.map((part) =>
          rowOf(
            bill,
            { referenz, name: names.get(referenz) ?? null },
            part,
            providers.get(part.schluessel) ?? null,
          ),
        ),
      ),
    ...bill.corrections.map((line) => correctionRow(bill, line, moment.zone)),
  ];
}

/** The CSV of a month, and how many rows are not in it because their cost is unknown. Throws 422. */
export async function focusFile(
  context: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
  monat: string | undefined,
): Promise<{ name: string; bytes: Buffer; ausgelassen: number }> {
  const at = context.clock.now();
  const { info, rows, bill } = await withSnapshot(context, mandant, async ({ tx, now, zone }) => {
    const moment: Moment = { tx, now, zone };
    const bill = await billOf(moment, requireMonth(monat, now, zone));
    const { firma } = await readMandant(tx);
    const info: FocusInfo = {
      konto: { id: mandant, name: firma },
      von: toUtc(bill.window.von),
      bis: toUtc(bill.window.bis),
      anbieter: PROVIDERS,
      ohne_anbieter: SEVERAL,
    };
    return { info, rows: await rowsOf(moment, bill), bill };
  });
  const bytes = Buffer.from([...writeFocus(info, rows)].join(''));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await context.db.forMandant(mandant, (tx) =>
    recordChange(tx, mandant, at, {
      akteur,
      aktion: 'weiterbelastung.ausgegeben',
      objekt: { art: 'abrechnungsmonat', id: bill.monat, name: bill.monat },
      nachher: { format: 'focus', status: bill.status, sha256 },
    }),
  );
  const ausgelassen = rows.filter((row) => !isTold(row)).length;
  return { name: `focus-${bill.monat}.csv`, bytes, ausgelassen };
}
