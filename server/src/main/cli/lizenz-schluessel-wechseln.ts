import { rotate } from '#domains/lizenzen/index.ts';
import type { Command } from './command.ts';

export const lizenzSchluesselWechseln: Command = {
  name: 'lizenz-schluessel-wechseln',
  argumente: [],
  zweck: 'unterschreibt von nun an mit einem neuen Schlüssel; die alten gelten weiter',
  async run(context) {
    const { kid, jwk } = await rotate(context, context.akteur);
    context.print(`Unterschrieben wird jetzt mit ${kid}. Neue Lizenzen bringen diesen Prüfschlüssel mit:`);
    context.print(JSON.stringify(jwk));
  },
};
