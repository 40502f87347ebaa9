import { takeRatesFile } from '#domains/betreiber/index.ts';
import { BadRates, MAX_RATES_BYTES } from '#domains/preise/index.ts';
import { readBytes } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

export const kurseEinlesen: Command = {
  name: 'kurse-einlesen',
  argumente: ['datei'],
  zweck: 'nimmt Referenzkurse der Europäischen Zentralbank aus einer Datei auf (CSV oder ZIP)',
  async run({ owner, akteur, clock, print }, [path = '']) {
    const acting = { akteur, now: clock.now() };
    const bytes = await readBytes(path, MAX_RATES_BYTES);
    const { neu, bis, abweichend } = await takeRatesFile(owner, bytes, acting).catch((error: unknown) => {
      if (error instanceof BadRates) throw new CommandRefused(error.message, { cause: error });
      throw error;
    });
    print(`Neue Kurse: ${neu}; bekannt sind sie jetzt bis ${bis}.`);
    if (abweichend.length > 0)
      print(
        `An ${abweichend.length} Tagen ist ein anderer Kurs bekannt und bleibt, zuletzt am ${abweichend.at(-1)}: Kosten beruhen darauf.`,
      );
  },
};
