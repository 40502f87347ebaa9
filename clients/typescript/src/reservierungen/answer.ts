/** What the service answers to wishes, and which calls it says hard limits hold for. */
import { at, count, list, text } from '../json.ts';
import { eurOf } from './eur.ts';

/** A limit that has no room for a call. */
export interface Grenze {
  art: string;
  regel_id: string | null;
  name: string;
  objekt_art: string;
  objekt: string;
  grenze_eur: string;
  verbraucht_eur: string;
  reserviert_eur: string;
  /** When it begins anew; null where no time does that by itself. */
  bis: string | null;
}

/** What calls of a model cost at most, in EUR. */
export interface Rates {
  input: bigint;
  output: bigint;
  call: bigint;
  /** They hold up to this many input tokens. */
  upTo: number;
  mostInput: number | null;
  mostOutput: number | null;
}

export interface Granted {
  granted: boolean;
  /** Null where nothing is reserved. */
  block: { id: string; amount: bigint } | null;
  /** Null where nothing bounds the call. */
  highest: bigint | null;
  rates: Rates | null;
  grenze: Grenze | null;
}

const amountAt = (value: unknown, key: string): bigint | null => {
  const decimal = text(at(value, key));
  return decimal === null ? null : eurOf(decimal);
};

function ratesOf(saetze: unknown): Rates | null {
  const input = amountAt(saetze, 'eingabe_eur');
  const output = amountAt(saetze, 'ausgabe_eur');
  if (input === null || output === null) return null;
  return {
    input,
    output,
    call: amountAt(saetze, 'aufruf_eur') ?? 0n,
    upTo: count(at(saetze, 'bis_eingabe_token')) ?? Number.POSITIVE_INFINITY,
    mostInput: count(at(saetze, 'hoechste_eingabe_token')),
    mostOutput: count(at(saetze, 'hoechste_ausgabe_token')),
  };
}

function grenzeOf(value: unknown): Grenze | null {
  if (typeof value !== 'object' || value === null) return null;
  const said = (key: string) => text(at(value, key)) ?? '';
  return {
    art: said('art'),
    regel_id: text(at(value, 'regel_id')),
    name: said('name'),
    objekt_art: said('objekt_art'),
    objekt: said('objekt'),
    grenze_eur: said('grenze_eur'),
    verbraucht_eur: said('verbraucht_eur'),
    reserviert_eur: said('reserviert_eur'),
    bis: text(at(value, 'bis')),
  };
}

function grantedOf(value: unknown): Granted {
  const id = text(at(value, 'reservierung_id'));
  const amount = amountAt(value, 'betrag_eur');
  return {
    granted: at(value, 'gewaehrt') === true,
    block: id === null || amount === null ? null : { id, amount },
    highest: amountAt(value, 'hoechstkosten_eur'),
    rates: ratesOf(at(value, 'saetze')),
    grenze: grenzeOf(at(value, 'grenze')),
  };
}

/** One for each wish, in their order. Throws where the body is no answer. */
export const grantsIn = (body: string): Granted[] =>
  list(at(JSON.parse(body), 'reservierungen')).map(grantedOf);

/** Calls that have a hard limit. */
export interface Scope {
  objekt_art: string;
  objekt: string;
  je_agent: boolean;
  je_lauf: boolean;
}

/** The scopes that the answer about what is in force names; none of a service that knows no hard limits. */
export const scopesIn = (body: string): Scope[] =>
  list(at(JSON.parse(body), 'harte_grenzen')).map((each) => ({
    objekt_art: text(at(each, 'objekt_art')) ?? '',
    objekt: text(at(each, 'objekt')) ?? '',
    je_agent: at(each, 'je_agent') === true,
    je_lauf: at(each, 'je_lauf') === true,
  }));
