/**
 * The numbers of the values of dimensions (`merkmale`), for counting: remembered from stretch to stretch, given to new
 * values under the Mandant's counting lock. A crash may take back numbers that were given; the mark in `zaehlstaende`, new
 * with every change, tells whether what is remembered still holds.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Values } from './sums/values.ts';
import { arrayText } from './write/statement.ts';

/** What the locked row of `zaehlstaende` says. */
export interface MerkmalStand {
  merkmale_anzahl: number;
  merkmale_marke: string | null;
}

/** Values that have no number yet, with the numbers they get. */
export interface NewMerkmale {
  ids: number[];
  dimensions: number[];
  texts: string[];
  /** The state after them. */
  stand: MerkmalStand;
}

/** The numbers of the values of one Mandant's stretch, by value. */
export interface Resolved {
  ids: Int32Array;
  /** Null when every value was known. */
  fresh: NewMerkmale | null;
}

interface Remembered {
  marke: string | null;
  /** By dimension: numbers by text. */
  ids: Map<string, number>[];
  size: number;
}

/** Of all Mandanten together; beyond it what was used longest ago is forgotten. */
const MAX_REMEMBERED = 400_000;

const KNOWN = `SELECT n.i, k.merkmal_id FROM unnest($1::uuid[], $2::smallint[], $3::text[]) WITH ORDINALITY AS n (m, d, t, i)
  JOIN merkmale k ON k.mandant_id = n.m AND k.dimension = n.d AND k.text = n.t`;
/** Likewise of one Mandant, for which a cluster asks its node alone. */
const KNOWN_OF_ONE = `SELECT n.i, k.merkmal_id FROM unnest($2::smallint[], $3::text[]) WITH ORDINALITY AS n (d, t, i)
  JOIN merkmale k ON k.mandant_id = $1::uuid AND k.dimension = n.d AND k.text = n.t`;

/** A value of a Mandant whose number is not remembered. */
interface Open {
  mandant: string;
  dimension: number;
  text: string;
}

/** The numbers that are stored of these values, where they have one, by their position from 1. */
async function findStored(
  client: pg.ClientBase,
  open: readonly Open[],
  mandanten: number,
): Promise<{ i: number; merkmal_id: number }[]> {
  const [first] = open;
  if (!first) return [];
  const isOne = mandanten === 1;
  const { rows } = await client.query<{ i: number; merkmal_id: number }>({
    name: isOne ? 'merkmale' : 'merkmale_mehrerer',
    text: isOne ? KNOWN_OF_ONE : KNOWN,
    values: [
      isOne ? first.mandant : arrayText(open.map(({ mandant }) => mandant)),
      arrayText(open.map(({ dimension }) => dimension)),
      open.map(({ text }) => text),
    ],
  });
  return rows;
}

export class Merkmale {
  /** In the order of their last use. */
  readonly #mandanten = new Map<string, Remembered>();
  #size = 0;

  /**
   * Numbers for the values of each Mandant, all of whose counting locks the transaction holds. What it gives to new values
   * must be stored in the same transaction; call `remember` once that has committed.
   */
  async resolve(
    client: pg.ClientBase,
    parts: readonly { mandant: string; values: Values; stand: MerkmalStand }[],
  ): Promise<Resolved[]> {
    const resolved = parts.map(({ values }) => new Int32Array(values.texts.length));
    const open: (Open & { part: number; value: number })[] = [];
    for (const [part, { mandant, values, stand }] of parts.entries()) {
      const known = this.#of(mandant, stand);
      for (let value = 1; value < values.texts.length; value += 1) {
        const dimension = values.dimensions[value] as number;
        const text = values.texts[value] as string;
        const id = known.ids[dimension]?.get(text);
        if (id === undefined) open.push({ mandant, dimension, text, part, value });
        else (resolved[part] as Int32Array)[value] = id;
      }
    }
    for (const { i, merkmal_id } of await findStored(client, open, parts.length)) {
      const { mandant, dimension, text, part, value } = open[i - 1] as (typeof open)[number];
      (resolved[part] as Int32Array)[value] = merkmal_id;
      this.#keep(mandant, dimension, text, merkmal_id);
    }
    return parts.map(({ values, stand }, part) => give(resolved[part] as Int32Array, values, stand));
  }

  /** Remembers what a committed transaction stored. */
  remember(mandant: string, { ids, dimensions, texts, stand }: NewMerkmale): void {
    const known = this.#mandanten.get(mandant);
    if (!known) return;
    known.marke = stand.merkmale_marke;
    for (const [index, id] of ids.entries())
      this.#keep(mandant, dimensions[index] as number, texts[index] as string, id);
  }

  #of(mandant: string, { merkmale_marke: marke }: MerkmalStand): Remembered {
    let known = this.#mandanten.get(mandant);
    if (known && known.marke !== marke) {
      this.#size -= known.size;
      known = undefined;
    }
    known ??= { marke, ids: [], size: 0 };
    this.#mandanten.delete(mandant);
    this.#mandanten.set(mandant, known);
    this.#forgetOldest(mandant);
    return known;
  }

  #forgetOldest(but: string): void {
    for (const [mandant, { size }] of this.#mandanten) {
      if (this.#size <= MAX_REMEMBERED || mandant === but) return;
      this.#mandanten.delete(mandant);
      this.#size -= size;
    }
  }

  #keep(mandant: string, dimension: number, text: string, id: number): void {
    const known = this.#mandanten.get(mandant);
    if (!known || known.size >= MAX_REMEMBERED) return;
    known.ids[dimension] ??= new Map();
    const ids = known.ids[dimension] as Map<string, number>;
    if (ids.has(text)) return;
    ids.set(text, id);
    known.size += 1;
    this.#size += 1;
  }
}

/** Gives the next numbers to values without one; 0 is no number but that of the total. */
function give(ids: Int32Array, values: Values, stand: MerkmalStand): Resolved {
  const fresh: NewMerkmale = {
    ids: [],
    dimensions: [],
    texts: [],
    stand: { merkmale_anzahl: stand.merkmale_anzahl, merkmale_marke: randomUUID() },
  };
  for (let value = 1; value < ids.length; value += 1) {
    if (ids[value] !== 0) continue;
    fresh.stand.merkmale_anzahl += 1;
    ids[value] = fresh.stand.merkmale_anzahl;
    fresh.ids.push(fresh.stand.merkmale_anzahl);
    fresh.dimensions.push(values.dimensions[value] as number);
    fresh.texts.push(values.texts[value] as string);
  }
  return { ids, fresh: fresh.ids.length > 0 ? fresh : null };
}
