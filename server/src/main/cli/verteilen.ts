import { actAsOperator, type Done } from '#domains/protokoll/index.ts';
import { NotSpreadable, spreadVolumeTables, tablesOfCluster } from '#platform/database/distribution.ts';
import type { OwnerTransaction } from '#platform/database/owner-database.ts';
import { type Command, CommandRefused } from './command.ts';
import { formatBytes } from './table.ts';

type Tables = Awaited<ReturnType<typeof tablesOfCluster>>;

const newIn = (before: Tables) => before.filter(({ parts }) => parts === null).map(({ name }) => name);

/** Spreads what is not spread yet; resolves with the tables before and after. */
async function spread(within: OwnerTransaction): Promise<Done<readonly [Tables, Tables]>> {
  const result = await within.transaction(
    async (client) => [await spreadVolumeTables(client), await tablesOfCluster(client)] as const,
  );
  const tabellen = newIn(result[0]);
  const act = { aktion: 'datenbank.verteilt', objekt: { art: 'datenbank' }, nachher: { tabellen } };
  return { result, act: tabellen.length > 0 ? act : null };
}

export const verteilen: Command = {
  name: 'verteilen',
  argumente: [],
  zweck: 'verteilt die Mengentabellen auf die Knoten eines Citus-Verbunds; der Dienst muss stehen',
  async run({ owner, akteur, clock, print }) {
    const [before, after] = await actAsOperator(owner, { akteur, now: clock.now() }, spread).catch(
      (error: unknown) => {
        throw error instanceof NotSpreadable ? new CommandRefused(error.message, { cause: error }) : error;
      },
    );
    for (const { name, parts, bytes } of after) {
      const wasSpread = before.some((table) => table.name === name && table.parts !== null);
      print(
        wasSpread
          ? `${name}: war schon verteilt`
          : `${name}: verteilt auf ${parts} Teile, ${formatBytes(bytes)}`,
      );
    }
    const many = newIn(before).length;
    print(
      many === 0
        ? 'Alle Mengentabellen waren schon verteilt; verändert wurde nichts.'
        : `${many} von ${after.length} Mengentabellen wurden verteilt.`,
    );
  },
};
