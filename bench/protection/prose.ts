/** Texts of real words, as people, tools and models write them. */
import type { Chance } from './chance.ts';

const WHO = [
  'Der Kunde',
  'Die Kundin',
  'Unser Lager',
  'Die Buchhaltung',
  'Der Fahrer',
  'Das Team in Graz',
  'Frau Brandl',
  'Herr Oduya',
  'The customer',
  'Our supplier',
  'The driver',
  'The night shift',
  'Accounting',
  'The landlord',
  'A colleague from Lyon',
  'The support desk',
];
const DOES = [
  'meldet',
  'bestätigt',
  'bezweifelt',
  'reklamiert',
  'sucht',
  'verschiebt',
  'prüft gerade',
  'hat gestern abgelehnt',
  'reports',
  'confirms',
  'is still looking for',
  'asks about',
  'has rejected',
  'wants to return',
  'cannot open',
  'forgot to sign',
];
const WHAT = [
  'die Lieferung der Kaffeemaschinen',
  'eine Gutschrift über den Restbetrag',
  'den Liefertermin für die Dachfenster',
  'das Angebot zur Wartung der Heizung',
  'die Rechnung des Spediteurs',
  'einen Wasserschaden im Keller',
  'die Reisekosten aus Antwerpen',
  'den Vertrag mit der Druckerei',
  'the invoice for the spare parts',
  'a broken seal on the second pallet',
  'the address of the new warehouse',
  'the refund for the cancelled course',
  'the password of the tablet',
  'the delivery of oak boards',
  'a discount on the yearly plan',
  'the missing page of the contract',
];
const HOW = [
  'und bittet um Rückruf am Nachmittag',
  'weil der Zoll noch Papiere verlangt',
  'obwohl die Frist schon vorbei ist',
  'bevor der Monat abgeschlossen wird',
  'nachdem zweimal niemand zu Hause war',
  'ohne einen Grund zu nennen',
  'wie im Telefonat besprochen',
  'falls die Versicherung zustimmt',
  'because the label came off in the rain',
  'before the auditors arrive on Thursday',
  'although it was promised for last week',
  'after the second reminder',
  'as agreed on the phone',
  'unless the bank refuses',
  'and would rather have an exchange',
  'while the manager is on holiday',
];

export const sentence = (chance: Chance): string =>
  `${chance.one(WHO)} ${chance.one(DOES)} ${chance.one(WHAT)} ${chance.one(HOW)}.`;

/** Sentences with about this number of words in all. */
export function paragraph(chance: Chance, words: number): string {
  const sentences: string[] = [];
  for (let count = 0; count < words; ) {
    const next = sentence(chance);
    sentences.push(next);
    count += next.split(' ').length;
  }
  return sentences.join(' ');
}

const NOUNS = 'invoice order cart price user session token batch file queue report parcel tenant cache'.split(
  ' ',
);
const VERBS = 'read write parse load check merge send build find remove format sum retry close'.split(' ');

export const fileName = (chance: Chance): string =>
  `src/${chance.one(NOUNS)}s/${chance.one(VERBS)}-${chance.one(NOUNS)}.ts`;

/** Lines of a program. */
export function program(chance: Chance, lines: number): string {
  return Array.from({ length: lines }, (_, at) => {
    const [verb, noun, other] = [chance.one(VERBS), chance.one(NOUNS), chance.one(NOUNS)];
    return chance.one([
      `${at + 1}  export async function ${verb}_${noun}(${other}: ${other}, limit = ${chance.from(2, 900)}) {`,
      `${at + 1}    const ${noun} = await ${verb}(${other}.${noun}Id);`,
      `${at + 1}    if (${noun}.${other}s.length > ${chance.from(1, 400)}) throw new Error('too many ${noun}s');`,
      `${at + 1}    for (const each of ${noun}s) total += each.${other};`,
      `${at + 1}    // ${sentence(chance)}`,
      `${at + 1}    return { ${noun}, ${other}: ${verb}_${other}(${noun}) };`,
    ]);
  }).join('\n');
}

const TOWNS = ['Graz', 'Lyon', 'Porto', 'Gent', 'Malmö', 'Brno', 'Bari', 'Kiel', 'Cork', 'Riga'];
const GOODS = [
  'Dachfenster',
  'Eichendielen',
  'Fliesen',
  'Heizkörper',
  'Lampen',
  'Schrauben',
  'Farbe',
  'Rohre',
];

/** A record of a table, as a batch job puts it into its prompt. */
export const record = (chance: Chance): string =>
  `Kunde ${chance.from(10_000, 99_999)}, ${chance.one(TOWNS)}: ${chance.from(1, 60)} × ${chance.one(GOODS)}, ` +
  `${chance.from(11, 4_800)},${chance.from(10, 99)} EUR, Beleg ${chance.from(100_000, 999_999)}`;

export const town = (chance: Chance): string => chance.one(TOWNS);
