import { withdraw } from '#domains/lizenzen/index.ts';
import type { Command } from './command.ts';

export const lizenzSchluesselZurueckziehen: Command = {
  name: 'lizenz-schluessel-zurueckziehen',
  argumente: ['kid'],
  zweck: 'vernichtet einen Schlüssel, mit dem nicht mehr unterschrieben wird',
  async run(context, [kid = '']) {
    const { owner, akteur, clock } = context;
    const { lizenzen } = await withdraw(owner, context, kid, { akteur, now: clock.now() });
    context.print(`Der Schlüssel ${kid} ist zurückgezogen.`);
    if (lizenzen > 0)
      context.print(
        `Lizenzen, die noch mit ihm unterschrieben sind: ${lizenzen}. Ihre Installationen erreichen die Sperrliste nicht mehr und fallen nach 14 Tagen zurück; stellen Sie neue aus.`,
      );
  },
};
