import { readSigningKeys } from '#domains/lizenzen/index.ts';
import type { Command } from './command.ts';
import { formatInstant, formatTable } from './table.ts';

const HEAD = ['Schlüssel', 'Zustand', 'Erstellt am', 'Zurückgezogen am', 'Lizenzen'];

export const lizenzSchluessel: Command = {
  name: 'lizenz-schluessel',
  argumente: [],
  zweck: 'zeigt die Schlüssel, mit denen Lizenzen unterschrieben sind, und die öffentlichen als JWK-Satz',
  async run(context) {
    const { config, print } = context;
    const keys = await readSigningKeys(context.owner, context);
    const cells = keys.map(({ kid, status, erstellt_am, zurueckgezogen_am, lizenzen }) => [
      ...[kid, status, formatInstant(erstellt_am, config.timeZone)],
      ...[formatInstant(zurueckgezogen_am, config.timeZone), lizenzen],
    ]);
    for (const line of formatTable(HEAD, cells)) print(line);
    print('');
    print(JSON.stringify({ keys: keys.flatMap(({ jwk }) => jwk ?? []) }));
  },
};
