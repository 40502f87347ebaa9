/** What the pages of operators keep in the URL. */
export const PAKETE = ['frei', 'starter', 'team', 'enterprise'] as const;
export const STATUS = ['aktiv', 'gekündigt'] as const;

export interface MandantenSearch {
  suche?: string | undefined;
  paket?: (typeof PAKETE)[number] | undefined;
  status?: (typeof STATUS)[number] | undefined;
  /** The Mandant whose dialog is open. */
  mandant?: string | undefined;
}

export interface ProtokollSearch {
  /** Entries that touch this Mandant only. */
  mandant?: string | undefined;
}

const longest = 200;
const oneOf = <T extends string>(words: readonly T[], value: unknown): T | undefined =>
  words.find((word) => word === value);

const uuidOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? value : undefined;

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export const parseMandantenSearch = (raw: Record<string, unknown>): MandantenSearch => ({
  suche: typeof raw.suche === 'string' && raw.suche !== '' ? raw.suche.slice(0, longest) : undefined,
  paket: oneOf(PAKETE, raw.paket),
  status: oneOf(STATUS, raw.status),
  mandant: uuidOf(raw.mandant),
});

/** Only what narrows. */
export const toFilter = ({ suche, paket, status }: MandantenSearch) => ({
  ...(suche === undefined ? {} : { suche }),
  ...(paket === undefined ? {} : { paket }),
  ...(status === undefined ? {} : { status }),
});

export const parseProtokollSearch = (raw: Record<string, unknown>): ProtokollSearch => ({
  mandant: uuidOf(raw.mandant),
});
