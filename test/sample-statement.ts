/** Statements as months leave them, for tests and to look at. */
import { encode } from 'fast-png';
import type {
  Statement,
  StatementCorrection,
  StatementLine,
  StatementRow,
} from '../server/src/domains/weiterbelastung/statement/model.ts';

const euro = (cents: number) => (cents / 100).toFixed(2);

/** Amounts in cents that differ, always the same ones. */
const centsOf = (index: number) => ((index * 7919) % 9000) + 1;

/** Rows whose amounts add up to `cents`; the last one takes the rest. */
export function sampleRows(count: number, cents: number, nameOf: (index: number) => string): StatementRow[] {
  const weights = Array.from({ length: count }, (_, index) => centsOf(index + 1)).sort((a, b) => b - a);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let left = cents;
  return weights.map((weight, index) => {
    const part = index === count - 1 ? left : Math.floor((cents * weight) / whole);
    left -= part;
    return {
      schluessel: `agent-${index}`,
      name: nameOf(index),
      aufrufe: 10 + (index % 90),
      token: String(12_345 * (index + 1)),
      betrag_eur: euro(part),
    };
  });
}

export function sampleLine(change: Partial<StatementLine> = {}): StatementLine {
  return {
    art: 'verbrauch',
    monat: '2026-10',
    referenz: 'K-10042',
    zahler: change.referenz ?? 'K-10042',
    belegnummer: `202610-${change.referenz ?? 'K-10042'}`,
    name: 'Stadtwerke Beispielhausen GmbH',
    kostenstelle: 'IT-4711',
    debitorenkonto: '10042',
    aufschlag_prozent: '15',
    aufrufe: 48_213,
    unbepreist: 0,
    teilbepreist: 0,
    kosten_eur: '1108.1',
    verbranntes_geld_eur: '33.75',
    abrechenbar_eur: '1074.35',
    betrag_eur: '1235.50',
    ...change,
  };
}

/** What changed in a month before. */
const sampleCorrection = (change: Partial<StatementCorrection> = {}): StatementCorrection => ({
  ...sampleLine({ art: 'korrektur', belegnummer: '202610K202608-K-10042' }),
  gruende: ['neu_bepreist'],
  aufschlag: null,
  ...change,
});

const AGENTS = ['Rechnungsprüfung', 'support/triage', 'Angebotsassistent', 'Übersetzung', 'Wissenssuche'];
const MODELS = ['claude-sonnet-4-5', 'gpt-5.1-mini', 'gemini-2.5-flash'];

/** An ordinary month: corrections, tax, a markup that is shown, burnt money that is not charged. */
export function sampleStatement(change: Partial<Statement> = {}): Statement {
  const cents = 123_550;
  return {
    sprache: 'de',
    absender: {
      name: 'Muster Software GmbH',
      farbe: '#1f6feb',
      logo: null,
      fusszeile:
        'Muster Software GmbH · Musterstraße 1 · 12345 Musterstadt\nHRB 12345 · USt-IdNr. DE123456789 · IBAN DE02 1203 0000 0000 2020 51',
    },
    monat: '2026-10',
    geschlossen_am: '2026-11-03',
    erstellt_am: '2026-11-04',
    zeile: sampleLine(),
    aufschlag: { prozent: '15', betrag_eur: '161.15' },
    nicht_berechnet_eur: '33.75',
    agenten: sampleRows(AGENTS.length, cents, (index) => AGENTS[index] as string),
    agenten_rest: null,
    modelle_rest: null,
    modelle: sampleRows(MODELS.length, cents, (index) => MODELS[index] as string),
    tage: Array.from({ length: 31 }, (_, index) => ({
      tag: `2026-10-${String(index + 1).padStart(2, '0')}`,
      aufrufe: index % 7 > 4 ? 0 : 1_000 + index,
      betrag_eur: index % 7 > 4 ? '0.00' : euro(centsOf(index + 3)),
    })),
    korrekturen: [
      sampleCorrection({ monat: '2026-08', betrag_eur: '-12.50', aufrufe: 0 }),
      sampleCorrection({
        monat: '2026-09',
        betrag_eur: '4.20',
        aufrufe: 3,
        belegnummer: '202610K202609-K-10042',
        gruende: ['nachgekommen'],
        aufschlag: { prozent: '15', betrag_eur: '0.55' },
      }),
    ],
    netto_eur: '1227.20',
    umsatzsteuer: {
      prozent: '19',
      betrag_eur: '233.17',
      brutto_eur: '1460.37',
      saetze: [{ prozent: '19', netto_eur: '1227.20', betrag_eur: '233.17' }],
    },
    ...change,
  };
}

/** More rows, models and names than a page holds. */
export const longStatement = (rows = 2_400): Statement =>
  sampleStatement({
    agenten: sampleRows(rows, 123_550, (index) => `agentur/projekt-${index % 40}/agent-${index}`),
  });

/** A month without any call. */
export const emptyStatement = (): Statement =>
  sampleStatement({
    geschlossen_am: null,
    zeile: sampleLine({
      aufrufe: 0,
      kosten_eur: null,
      verbranntes_geld_eur: '0',
      abrechenbar_eur: null,
      betrag_eur: '0.00',
    }),
    aufschlag: null,
    nicht_berechnet_eur: null,
    agenten: [],
    agenten_rest: null,
    modelle: [],
    modelle_rest: null,
    tage: [],
    korrekturen: [],
    netto_eur: '0.00',
    umsatzsteuer: null,
  });

/** Names as long as they may be, with and without places to break, and signs no font has. */
export function longNames(): Statement {
  const names = [
    'Abteilung für Rechnungsprüfung, Mahnwesen und Zahlungsverkehr der nördlichen Niederlassungen einschließlich Schleswig-H.',
    `x${'Donaudampfschifffahrtsgesellschaft'.repeat(4)}`.slice(0, 120),
    'Помощник ☃ 客服 🤖👩‍👩‍👧 Ελληνικά Łódź Ŵrexham',
    'kunde/projekt/teilprojekt/werkzeug/'.repeat(4).slice(0, 120),
  ];
  return sampleStatement({
    absender: {
      ...sampleStatement().absender,
      name: names[0] as string,
      fusszeile: `Zeile\n${'sehr lange Fußzeile '.repeat(24)}`,
    },
    zeile: sampleLine({
      name: names[1] as string,
      kostenstelle: names[3] as string,
      referenz: `R${'9'.repeat(119)}`,
    }),
    agenten: sampleRows(4, 123_550, (index) => names[index] as string),
  });
}

/** A picture with a transparent ground. */
export function sampleLogo(width = 320, height = 90): Uint8Array {
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const isIn =
      (x - height / 2) ** 2 + (y - height / 2) ** 2 < (height / 2) ** 2 ||
      (x > height * 1.2 && y > height / 3 && y < height / 1.5);
    data.set(isIn ? [200, 30, 60, 255] : [0, 0, 0, 0], pixel * 4);
  }
  return encode({ width, height, data, channels: 4, depth: 8 });
}
