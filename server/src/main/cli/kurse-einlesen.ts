import { BadRates, MAX_RATES_BYTES, readRatesFile, takeRates } from '#domains/preise/index.ts';
import { actAsOperator } from '#domains/protokoll/index.ts';
import { readBytes } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

export const kurseEinlesen: Command = {
  name: 'kurse-einlesen',
  argumente: ['datei'],
  zweck: 'nimmt Referenzkurse der Europäischen Zentralbank aus einer Datei auf (CSV oder ZIP)',
  async run({ owner, akteur, clock, print }, [path = '']) {
    const now = clock.now();
    const rates = await readRatesFile(await readBytes(path, MAX_RATES_BYTES), now).catch((error: unknown) => {
      if (error instanceof BadRates) throw new CommandRefused(error.message, { cause: error });
      throw error;
    });
    const { neu, bis, abweichend } = await actAsOperator(owner, { akteur, now }, async (within) => {
      const result = await within.transaction((client) => takeRates(client, rates));
      const objekt = { art: 'kurse', id: result.bis };
      const act = { aktion: 'kurse.aufgenommen', objekt, nachher: { neu: result.neu, bis: result.bis } };
      return { result, act: result.neu > 0 ? act : null };
    });
    print(`Neue Kurse: ${neu}; bekannt sind sie jetzt bis ${bis}.`);
    if (abweichend.length > 0)
      print(
        `An ${abweichend.length} Tagen ist ein anderer Kurs bekannt und bleibt, zuletzt am ${abweichend.at(-1)}: Kosten beruhen darauf.`,
      );
  },
};
