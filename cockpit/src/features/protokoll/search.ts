/** What the audit log keeps in the URL, and asks the service for. */
export interface AuditSearch {
  /** Dotted name of an action. */
  aktion?: string | undefined;
  /** Local days `YYYY-MM-DD`, both included. */
  von?: string | undefined;
  bis?: string | undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const isDay = (text: string | undefined) => text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text);

function dayOf(value: unknown): string | undefined {
  const text = textOf(value);
  return isDay(text) ? text : undefined;
}

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export const parseAuditSearch = (raw: Record<string, unknown>): AuditSearch => ({
  aktion: textOf(raw.aktion),
  von: dayOf(raw.von),
  bis: dayOf(raw.bis),
});

/** Only what narrows. */
export const toFilter = ({ aktion, von, bis }: AuditSearch) => ({
  ...(aktion === undefined ? {} : { aktion }),
  ...(von === undefined ? {} : { von }),
  ...(bis === undefined ? {} : { bis }),
});
