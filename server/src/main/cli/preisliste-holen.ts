import { fetchOffer, takePackaged } from '#domains/preise/index.ts';
import { createOutbound, networksOf } from '#platform/outbound.ts';
import { type Command, CommandRefused } from './command.ts';
import { outcomeOf, spoken, takeByHand } from './price-list.ts';

export const preislisteHolen: Command = {
  name: 'preisliste-holen',
  argumente: [],
  zweck: 'holt die neueste Preisliste aus dem Netz',
  async run(context) {
    const { owner, clock, config, print } = context;
    const { priceListUrl, allowedNetworks } = config;
    if (priceListUrl === null)
      throw new CommandRefused(
        'Das Holen ist abgeschaltet (PREISLISTE_URL ist leer); „preisliste-einlesen“ nimmt eine Datei.',
      );
    const outbound = createOutbound(networksOf(allowedNetworks));
    const now = clock.now();
    await takePackaged(owner, now);
    const taken = await spoken(async () =>
      takeByHand(context, await fetchOffer(outbound, priceListUrl, now), now),
    );
    print(outcomeOf(taken));
  },
};
