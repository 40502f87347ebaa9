import { parseArgs } from 'node:util';
import { aufgegebeneAuftraege } from './aufgegebene-auftraege.ts';
import { auftraege } from './auftraege.ts';
import { auftragVerwerfen } from './auftrag-verwerfen.ts';
import { auftragWiederholen } from './auftrag-wiederholen.ts';
import type { Command, HostCommand, Spoken, Switches } from './command.ts';
import { domainBeweisen } from './domain-beweisen.ts';
import { entlassen } from './entlassen.ts';
import { ernennen } from './ernennen.ts';
import { kuendigungAufheben } from './kuendigung-aufheben.ts';
import { kurseEinlesen } from './kurse-einlesen.ts';
import { link } from './link.ts';
import { lizenzEntsperren } from './lizenz-entsperren.ts';
import { lizenzErzeugen } from './lizenz-erzeugen.ts';
import { lizenzPruefen } from './lizenz-pruefen.ts';
import { lizenzSchluessel } from './lizenz-schluessel.ts';
import { lizenzSchluesselWechseln } from './lizenz-schluessel-wechseln.ts';
import { lizenzSchluesselZurueckziehen } from './lizenz-schluessel-zurueckziehen.ts';
import { lizenzSperren } from './lizenz-sperren.ts';
import { lizenzen } from './lizenzen.ts';
import { loeschbelege } from './loeschbelege.ts';
import { mandantAendern } from './mandant-aendern.ts';
import { mandanten } from './mandanten.ts';
import { preislisteAnheften } from './preisliste-anheften.ts';
import { preislisteEinlesen } from './preisliste-einlesen.ts';
import { preislisteHolen } from './preisliste-holen.ts';
import { preislisteLoesen } from './preisliste-loesen.ts';
import { preislisteZurueck } from './preisliste-zurueck.ts';
import { preislisten } from './preislisten.ts';
import { sicherung } from './sicherung.ts';
import { sperrlisteEinlesen } from './sperrliste-einlesen.ts';
import { verteilen } from './verteilen.ts';
import { verteilung } from './verteilung.ts';
import { wiederherstellung } from './wiederherstellung.ts';
import { wiederherstellungBis } from './wiederherstellung-bis.ts';
import { zweitenFaktorEntfernen } from './zweiten-faktor-entfernen.ts';

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  ernennen,
  entlassen,
  link,
  zweitenFaktorEntfernen,
  mandanten,
  mandantAendern,
  kuendigungAufheben,
  domainBeweisen,
  loeschbelege,
  auftraege,
  aufgegebeneAuftraege,
  auftragWiederholen,
  auftragVerwerfen,
  preislisten,
  preislisteHolen,
  preislisteEinlesen,
  preislisteAnheften,
  preislisteLoesen,
  preislisteZurueck,
  kurseEinlesen,
  lizenzen,
  lizenzErzeugen,
  lizenzSperren,
  lizenzEntsperren,
  lizenzPruefen,
  lizenzSchluessel,
  lizenzSchluesselWechseln,
  lizenzSchluesselZurueckziehen,
  sperrlisteEinlesen,
  verteilung,
  verteilen,
];

export const HOST_COMMANDS: readonly HostCommand[] = [sicherung, wiederherstellung, wiederherstellungBis];

const ALL: readonly Spoken[] = [...COMMANDS, ...HOST_COMMANDS];

const usageOf = ({ name, argumente, wahlweise = [], weitere, schalter = {} }: Spoken): string =>
  [
    name,
    ...argumente.map((argument) => `<${argument}>`),
    ...wahlweise.map((argument) => `[<${argument}>]`),
    ...(weitere ? ['…'] : []),
    ...Object.entries(schalter).map(([word, { wert }]) => `[--${word}${wert ? ` <${wert}>` : ''}]`),
  ].join(' ');

export function helpText(): string[] {
  const width = Math.max(...ALL.map((command) => usageOf(command).length));
  return [
    'npm run betreiber -- <befehl>',
    '',
    ...ALL.map((command) => `  ${usageOf(command).padEnd(width)}  ${command.zweck}`),
  ];
}

/** What was typed after the name of a command, switches apart; null where one is not the command's, or lacks its value. */
export function readTyped(
  { schalter }: Spoken,
  typed: readonly string[],
): { args: string[]; switches: Switches } | null {
  if (!schalter) return { args: [...typed], switches: {} };
  const options = Object.fromEntries(
    Object.entries(schalter).map(([word, { wert }]) => [
      word,
      { type: wert ? ('string' as const) : ('boolean' as const) },
    ]),
  );
  try {
    const { positionals, values } = parseArgs({ args: [...typed], options, allowPositionals: true });
    return { args: positionals, switches: values as Switches };
  } catch {
    return null;
  }
}

/** What is typed wrong, as a German sentence; null when it is a command with its arguments. */
export function problemOf(
  command: Spoken | undefined,
  name: string | undefined,
  args: readonly string[] | null,
): string | null {
  if (name === undefined) return 'Es fehlt ein Befehl.';
  if (!command) return `Den Befehl „${name}“ gibt es nicht.`;
  const { argumente, wahlweise = [], weitere } = command;
  const most = weitere ? Infinity : argumente.length + wahlweise.length;
  const isComplete = args !== null && args.length >= argumente.length && args.length <= most;
  return isComplete ? null : `Erwartet wird: ${usageOf(command)}`;
}
