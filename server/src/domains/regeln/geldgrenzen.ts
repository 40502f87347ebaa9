/**
 * The limits of money that a Mandant begins with, in force from its registration (docs/decisions/0119-money-from-the-first-day.md): as
 * rules like any other, known by what they are about.
 */
import type { GRENZEN, Regeltyp, Stufe } from '#contracts';
import type { RegelFields } from './store.ts';

export type Grenze = (typeof GRENZEN)[number];

interface Geldgrenze {
  typ: Extract<Regeltyp, 'lauf_deckel' | 'kosten_grenze'>;
  name: string;
  stufe: Stufe;
  zeitfenster: 'stunde' | 'tag' | null;
  parameter: Record<string, string>;
  /** In EUR. */
  vorschlag: string;
}

/** What each is, with what is proposed. A run that is out of bounds is stopped; everything else tells. */
export const GELDGRENZEN: Record<Grenze, Geldgrenze> = {
  lauf: {
    typ: 'lauf_deckel',
    name: 'Kosten je Lauf',
    stufe: 'anhalten',
    zeitfenster: null,
    parameter: {},
    vorschlag: '20',
  },
  agent_stunde: {
    typ: 'kosten_grenze',
    name: 'Kosten je Agent und Stunde',
    stufe: 'warnen',
    zeitfenster: 'stunde',
    parameter: { je: 'agent' },
    vorschlag: '10',
  },
  tag: {
    typ: 'kosten_grenze',
    name: 'Kosten am Tag',
    stufe: 'warnen',
    zeitfenster: 'tag',
    parameter: {},
    vorschlag: '100',
  },
};

/** A limit as a rule to be put in, in force. */
export const wishFor = (grenze: Grenze, betrag: string) => {
  const { typ, name, stufe, zeitfenster, parameter } = GELDGRENZEN[grenze];
  return {
    name,
    typ,
    geltungsbereich: 'mandant' as const,
    schwelle: betrag,
    einheit: 'eur',
    stufe,
    zeitfenster,
    schattenbetrieb: false,
    aktiv: true,
    parameter,
  };
};

/** Whether a rule is this limit, whatever it is called and however high it is. */
export function isGrenze(
  grenze: Grenze,
  {
    typ,
    geltungsbereich,
    einheit,
    zeitfenster,
    parameter,
  }: Pick<RegelFields, 'typ' | 'geltungsbereich' | 'einheit' | 'zeitfenster' | 'parameter'>,
): boolean {
  const wanted = GELDGRENZEN[grenze];
  const isSame = typ === wanted.typ && geltungsbereich === 'mandant' && einheit === 'eur';
  const je = (parameter as Record<string, unknown>).je ?? 'bereich';
  return isSame && zeitfenster === wanted.zeitfenster && je === (wanted.parameter.je ?? 'bereich');
}
