/** What the demo tells the person who started it. */
import type { Mailweg } from '#platform/mail.ts';
import type { DemoState } from './state.ts';

const frame = (lines: readonly string[]): string => {
  const width = Math.max(...lines.map((line) => line.length)) + 4;
  const edge = '─'.repeat(width);
  const rows = lines.map((line) => `│  ${line.padEnd(width - 2)}│`);
  return [`┌${edge}┐`, ...rows, `└${edge}┘`].join('\n');
};

/** The box with address and login; `counted` is the number of events in the demo so far, in German. */
export const welcome = (
  address: string,
  state: DemoState,
  counted: string,
  file: string,
  mailweg: Mailweg,
): string =>
  frame([
    '',
    'Die Zählwerk-Demo läuft.',
    '',
    `Cockpit    ${address}`,
    `E-Mail     ${state.email}`,
    `Passwort   ${state.passwort}`,
    '',
    `${counted} Aufrufe sind gezählt, laufend kommen neue dazu.`,
    `API-Schlüssel und Zugangsdaten: ${file}`,
    ...(mailweg === 'log' ? ['Mails gehen nicht hinaus; Links daraus macht: npm run betreiber -- link'] : []),
    '',
    'Beenden mit Strg+C; npm run demo macht danach hier weiter.',
    '',
  ]);
