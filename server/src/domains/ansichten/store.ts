/** SQL of saved views. Instants go in and come out as ISO 8601 in UTC. */
import type { MandantTx } from '#platform/database/index.ts';
import type { Inhalt } from './rules.ts';

export interface AnsichtRow extends Inhalt {
  ansicht_id: string;
  erstellt_am: string;
  geaendert_am: string;
}

const COLUMNS = ['ansicht_id', 'name', 'pfad', 'suche', 'erstellt_am', 'geaendert_am'] as const;

/** The views of a user, by name. */
export const listAnsichten = (tx: MandantTx, benutzerId: string): Promise<AnsichtRow[]> =>
  tx
    .selectFrom('ansichten')
    .select(COLUMNS)
    .where('benutzer_id', '=', benutzerId)
    .orderBy('name')
    .orderBy('ansicht_id')
    .execute();

export async function insertAnsicht(
  tx: MandantTx,
  row: AnsichtRow & { mandant_id: string; benutzer_id: string },
): Promise<void> {
  await tx.insertInto('ansichten').values(row).execute();
}

export async function updateAnsicht(
  tx: MandantTx,
  benutzerId: string,
  { ansicht_id, name, pfad, suche, geaendert_am }: AnsichtRow,
): Promise<void> {
  await tx
    .updateTable('ansichten')
    .set({ name, pfad, suche, geaendert_am })
    .where('benutzer_id', '=', benutzerId)
    .where('ansicht_id', '=', ansicht_id)
    .execute();
}

export async function deleteAnsicht(tx: MandantTx, benutzerId: string, ansichtId: string): Promise<void> {
  await tx
    .deleteFrom('ansichten')
    .where('benutzer_id', '=', benutzerId)
    .where('ansicht_id', '=', ansichtId)
    .execute();
}
