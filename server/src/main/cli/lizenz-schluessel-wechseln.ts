import { rotate } from '#domains/lizenzen/index.ts';
import type { Command } from './command.ts';

export const lizenzSchluesselWechseln: Command = {
  name: 'lizenz-schluessel-wechseln',
  argumente: [],
  zweck: 'unterschreibt von nun an mit einem neuen Schlüssel; die alten gelten weiter',
  async run(context) {
    const { owner, akteur, clock } = context;
    const { kid, jwk } = await rotate(owner, context, { akteur, now: clock.now() });
    context.print(`Unterschrieben wird jetzt mit ${kid}. Neue Lizenzen bringen diesen Prüfschlüssel mit:`);
    context.print(JSON.stringify(jwk));
  },
};
