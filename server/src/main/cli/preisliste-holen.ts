import { fetchEdition, takePackaged } from '#domains/preise/index.ts';
import { createOutbound, networksOf } from '#platform/outbound.ts';
import { type Command, CommandRefused } from './command.ts';
import { outcomeOf, spoken } from './price-list.ts';

export const preislisteHolen: Command = {
  name: 'preisliste-holen',
  argumente: [],
  zweck: 'holt die neueste Preisliste aus dem Netz',
  async run({ owner, clock, config, print }) {
    const { priceListUrl, allowedNetworks } = config;
    if (priceListUrl === null)
      throw new CommandRefused(
        'Das Holen ist abgeschaltet (PREISLISTE_URL ist leer); „preisliste-einlesen“ nimmt eine Datei.',
      );
    const outbound = createOutbound(networksOf(allowedNetworks));
    await takePackaged(owner, clock.now());
    print(outcomeOf(await spoken(() => fetchEdition({ owner, outbound }, priceListUrl, clock.now()))));
  },
};
