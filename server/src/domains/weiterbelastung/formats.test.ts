/** Months by chance: the same amounts in every form, answers, table, booking batch, statements on paper and finance dataset. */
import { parse } from 'csv-parse/sync';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { billedCall, billedMarkup, countBilled } from '#test/billed-calls.ts';
import { setBook } from '#test/counted-anew.ts';
import { checkBatch } from '#test/formats/extf/check.ts';
import { readRecords } from '#test/formats/extf/read.ts';
import { checkFocus } from '#test/formats/focus/check.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { ownerOf } from '#test/jobs.ts';
import { pagesOf } from '#test/read-pdf.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

const MONTHS = ['2026-08', '2026-09'] as const;
/** Of each month, then of the one after it, when calls of the first still come. */
const SHOWN = [...MONTHS, '2026-10'];
const CUSTOMERS = ['a', 'b;"ü"', '=c/%'] as const;
const SETTINGS = { beraternummer: 29098, mandantennummer: 55003, sammelkonto: '10000', erloeskonto: '8400' };

interface Line {
  art: string;
  monat: string;
  referenz: string;
  aufrufe: number;
  kosten_eur: string | null;
  betrag_eur: string | null;
}

async function fetched(account: Account, path: string) {
  const answer = await service.app.inject({
    url: `/v1/cockpit${path}`,
    headers: { cookie: account.cookie, 'accept-language': 'de' },
  });
  expect(answer.statusCode, `${path} ${answer.body.slice(0, 300)}`).toBe(200);
  return answer;
}

/** An amount as a bookkeeper reads it: `-1.234,50`. */
const fromGerman = (text: string) => new Decimal(text.replaceAll('.', '').replace(',', '.'));
const toGerman = (amount: Decimal) =>
  amount.toNumber().toLocaleString('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const sum = (amounts: Decimal[]) => amounts.reduce((all, each) => all.plus(each), new Decimal(0));
const keyOf = ({ art, monat, referenz }: Pick<Line, 'art' | 'monat' | 'referenz'>) =>
  `${art} ${monat} ${referenz}`;

/** All lines of a month, each from its statement, with what the statement says of the whole. */
async function statementsOf(account: Account, monat: string) {
  const { zeilen } = (await fetched(account, `/endkunden?monat=${monat}`)).json() as { zeilen: Line[] };
  return Promise.all(
    zeilen.map(async ({ referenz }) => {
      const path = `/endkunden/${encodeURIComponent(referenz)}/abrechnung`;
      const answer = (await fetched(account, `${path}?monat=${monat}`)).json() as {
        zeile: Line;
        korrekturen: Line[];
        netto_eur: string;
        umsatzsteuer: { brutto_eur: string } | null;
      };
      const pdf = await fetched(account, `${path}.pdf?monat=${monat}`);
      return { ...answer, referenz, pdf: new Uint8Array(pdf.rawPayload) };
    }),
  );
}

type Statements = Awaited<ReturnType<typeof statementsOf>>;
/** Who called nothing has a statement, but no line. */
const linesOf = (statements: Statements): Line[] =>
  statements.flatMap(({ zeile, korrekturen }) => [...(zeile.aufrufe > 0 ? [zeile] : []), ...korrekturen]);

async function expectTable(account: Account, monat: string, lines: Line[]): Promise<void> {
  const { body } = await fetched(account, `/export/weiterbelastung?monat=${monat}`);
  const rows: Record<string, string>[] = parse(body, { delimiter: ';', columns: true, bom: true });
  const total = rows.pop();
  const found = rows.map((row) => {
    // A reference that could be taken for a formula has a quote in front of it.
    const referenz = (row.Referenz as string).replace(/^'(?=[=+@-])/, '');
    const art = row.Art === 'Korrektur' ? 'korrektur' : 'verbrauch';
    return [
      keyOf({ art, monat: row.Monat as string, referenz }),
      row['Betrag EUR'] === '' ? null : fromGerman(row['Betrag EUR'] as string).toFixed(2),
    ];
  });
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(lines.map((line) => [keyOf(line), line.betrag_eur])),
  );
  const known = lines.flatMap(({ betrag_eur }) => (betrag_eur === null ? [] : [new Decimal(betrag_eur)]));
  expect(total?.['Betrag EUR'] ? fromGerman(total['Betrag EUR']).toFixed(2) : '0.00').toBe(
    sum(known).toFixed(2),
  );
}

/** What the lines are with tax, rounded by itself each. */
const grossOf = ({ betrag_eur }: Line, percent: string) =>
  new Decimal(betrag_eur ?? 0)
    .times(new Decimal(percent).plus(100))
    .div(100)
    .toDecimalPlaces(2, Decimal.ROUND_HALF_UP);

async function expectBatch(account: Account, monat: string, lines: Line[], percent: string): Promise<void> {
  const { rawPayload } = await fetched(account, `/export/weiterbelastung?monat=${monat}&format=ledger`);
  const booked = readRecords(rawPayload)
    .records.slice(2)
    .map(({ fields }) =>
      fromGerman(fields[0]?.text as string)
        .times(fields[1]?.text === 'H' ? -1 : 1)
        .toFixed(2),
    );
  const expected = lines.map((line) => grossOf(line, percent)).filter((gross) => !gross.isZero());
  expect(booked.sort()).toEqual(expected.map((gross) => gross.toFixed(2)).sort());
  const findings = checkBatch(rawPayload).map(({ code }) => code);
  expect(findings).toEqual(expected.length > 0 ? [] : ['keine_buchung']);
}

async function expectDataset(account: Account, monat: string, lines: Line[]): Promise<void> {
  const { body } = await fetched(account, `/export/focus.csv?monat=${monat}`);
  expect(checkFocus(Buffer.from(body))).toEqual([]);
  const rows: Record<string, string>[] = parse(body, { columns: true });
  for (const referenz of CUSTOMERS) {
    const costs = rows.filter(({ SubAccountId }) => SubAccountId === referenz);
    const own = lines.filter((line) => line.referenz === referenz && line.kosten_eur !== null);
    expect(sum(costs.map(({ BilledCost }) => new Decimal(BilledCost as string))).toFixed()).toBe(
      sum(own.map(({ kosten_eur }) => new Decimal(kosten_eur as string))).toFixed(),
    );
  }
}

async function expectPaper({ netto_eur, umsatzsteuer, pdf }: Statements[number]): Promise<void> {
  const text = (await pagesOf(pdf)).flat().map((piece) => piece.text.replaceAll('\u00a0', ' '));
  for (const amount of [netto_eur, umsatzsteuer?.brutto_eur])
    if (amount) expect(text.join('\n').replaceAll('−', '-')).toContain(toGerman(new Decimal(amount)));
}

it(
  'the same in every form, of open and of closed months',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(...[0, 1, 2].map(() => fc.array(billedCall(MONTHS, [...CUSTOMERS, '']), { maxLength: 8 }))),
        fc.tuple(...CUSTOMERS.map(() => billedMarkup)),
        fc.constantFrom('19', '7', '0'),
        fc.boolean(),
        async (batches, markups, steuersatz_prozent, verbranntes_berechnen) => {
          service.clock.set('2026-10-05T08:00:00Z');
          const account = await registerAccount(service);
          const { secret } = await createKey(service, account);
          await setBook(service, account, { gemeldete_kosten: true });
          const send = async (method: 'POST' | 'PUT', path: string, payload: object) => {
            const headers = { cookie: account.cookie };
            const answer = await service.app.inject({ method, url: `/v1/cockpit${path}`, headers, payload });
            expect(answer.statusCode, answer.body).toBeLessThan(300);
          };
          await send('PUT', '/mandant/buchhaltung', {
            ...SETTINGS,
            steuersatz_prozent,
            verbranntes_berechnen,
          });
          for (const [index, referenz] of CUSTOMERS.entries())
            await send('POST', '/endkunden', { referenz, aufschlag_prozent: markups[index] });
          for (const [index, batch] of batches.entries()) {
            await countBilled(service, owner, secret, batch);
            for (const monat of SHOWN) {
              const statements = await statementsOf(account, monat);
              const lines = linesOf(statements);
              await expectTable(account, monat, lines);
              await expectBatch(account, monat, lines, steuersatz_prozent);
              await expectDataset(account, monat, lines);
              for (const statement of statements) await expectPaper(statement);
            }
            const month = MONTHS[index];
            if (month) await send('POST', '/abrechnung/abschliessen', { monat: month });
          }
        },
      ),
      { numRuns: fuzzRuns(3) },
    );
  },
  fuzzTime(),
);
