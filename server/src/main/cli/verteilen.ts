import { NotSpreadable, spreadVolumeTables, tablesOfCluster } from '#platform/database/distribution.ts';
import { type Command, CommandRefused } from './command.ts';
import { formatBytes } from './table.ts';

export const verteilen: Command = {
  name: 'verteilen',
  argumente: [],
  zweck: 'verteilt die Mengentabellen auf die Knoten eines Citus-Verbunds; der Dienst muss stehen',
  async run({ owner, print }) {
    const [before, after] = await owner
      .transaction(
        async (client) => [await spreadVolumeTables(client), await tablesOfCluster(client)] as const,
      )
      .catch((error: unknown) => {
        throw error instanceof NotSpreadable ? new CommandRefused(error.message, { cause: error }) : error;
      });
    for (const { name, parts, bytes } of after) {
      const wasSpread = before.some((table) => table.name === name && table.parts !== null);
      print(
        wasSpread
          ? `${name}: war schon verteilt`
          : `${name}: verteilt auf ${parts} Teile, ${formatBytes(bytes)}`,
      );
    }
    const spread = before.filter(({ parts }) => parts === null).length;
    print(
      spread === 0
        ? 'Alle Mengentabellen waren schon verteilt; verändert wurde nichts.'
        : `${spread} von ${after.length} Mengentabellen wurden verteilt.`,
    );
  },
};
