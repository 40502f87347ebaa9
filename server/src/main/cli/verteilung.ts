import { isCoordinator } from '#platform/database/cluster.ts';
import { tablesOfCluster } from '#platform/database/distribution.ts';
import type { Command } from './command.ts';
import { formatBytes, formatTable } from './table.ts';

export const verteilung: Command = {
  name: 'verteilung',
  argumente: [],
  zweck: 'zeigt, welche Mengentabellen über Knoten verteilt sind und was „verteilen“ täte',
  async run({ owner, print }) {
    const { cluster, tables } = await owner.transaction(async (client) => ({
      cluster: await isCoordinator(client),
      tables: await tablesOfCluster(client),
    }));
    const rows = tables.map(({ name, parts, bytes }) => [name, parts ?? 'hier', formatBytes(bytes)]);
    for (const line of formatTable(['Tabelle', 'Teile', 'Größe'], rows)) print(line);
    const local = tables.filter(({ parts }) => parts === null).length;
    if (!cluster) print('Die Datenbank gehört zu keinem Citus-Verbund; „verteilen“ würde abgelehnt.');
    else if (local === 0) print('Alle Mengentabellen sind verteilt; „verteilen“ täte nichts.');
    else print(`„verteilen“ würde ${local} Mengentabellen verteilen.`);
  },
};
