import type { Ansicht, Static } from '#contracts';
import { toInstant } from '#kernel/instant.ts';
import type { AnsichtRow } from './store.ts';

export const ansichtToApi = (row: AnsichtRow): Static<typeof Ansicht> => ({
  ...row,
  erstellt_am: toInstant(row.erstellt_am),
  geaendert_am: toInstant(row.geaendert_am),
});
