/** What the figures of an import come to. */
import type { Import } from '../../api/types.ts';

export const isUnderWay = ({ status }: Pick<Import, 'status'>) =>
  status === 'laeuft' || status === 'ruecknahme';

/** How far it has come, 0 to 1. Of what is taken back nobody knows beforehand how much it will be: null. */
export const partOf = ({ status, aufrufe, gezaehlt }: Pick<Import, 'status' | 'aufrufe' | 'gezaehlt'>) =>
  status === 'laeuft' && aufrufe > 0 ? Math.min(1, gezaehlt / aufrufe) : null;

/** Calls of closed months. */
export const inClosedMonths = ({ monate }: Pick<Import, 'monate'>) =>
  monate.filter(({ geschlossen }) => geschlossen).reduce((sum, { aufrufe }) => sum + aufrufe, 0);

/** Who did what was done last, and when. */
export const lastStep = (of: Import) => {
  if (of.zurueckgenommen_am !== null) return { when: of.zurueckgenommen_am, who: of.zurueckgenommen_von };
  if (of.angewendet_am !== null) return { when: of.angewendet_am, who: of.angewendet_von };
  return { when: of.angelegt_am, who: of.angelegt_von };
};
