/** Which values of a Mandant have running sums besides all calls and each agent. */
import type pg from 'pg';
import type { KeptValues } from '#domains/verbrauch/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

/** A choice of values, and its number: another choice has another one. */
export interface KeptChoice {
  version: number;
  values: KeptValues;
}

interface KeptRow {
  mandant_id: string;
  gefuehrt: number;
  dimension: number | null;
  text: string | null;
}

const READ = `SELECT z.mandant_id, z.gefuehrt, g.dimension, g.text FROM zaehlstaende z
  LEFT JOIN verbrauch_gefuehrt g ON g.mandant_id = z.mandant_id AND g.seit IS NOT NULL
  WHERE z.mandant_id = ANY($1::uuid[])`;

const NOTHING: KeptChoice = { version: 0, values: new Map() };

function choiceOf(rows: readonly KeptRow[]): KeptChoice {
  const values = new Map<number, Set<string>>();
  for (const { dimension, text } of rows) {
    if (dimension === null || text === null) continue;
    const texts = values.get(dimension) ?? new Set();
    values.set(dimension, texts.add(text));
  }
  return { version: Number(rows[0]?.gefuehrt ?? 0), values };
}

/** Of these Mandanten. */
async function readKept(
  client: Pick<pg.ClientBase, 'query'> | Pick<OwnerDatabase, 'query'>,
  mandanten: readonly string[],
): Promise<Map<string, KeptChoice>> {
  const { rows } = await (client as Pick<pg.ClientBase, 'query'>).query<KeptRow>(READ, [mandanten]);
  const found = Map.groupBy(rows, ({ mandant_id }) => mandant_id);
  return new Map(mandanten.map((mandant) => [mandant, choiceOf(found.get(mandant) ?? [])]));
}

/** Of one, in a transaction that holds its counting lock; most have chosen nothing. */
export async function readKeptOf(
  client: pg.ClientBase,
  mandant: string,
  { gefuehrt }: { gefuehrt: number },
): Promise<KeptValues> {
  if (gefuehrt === 0) return NOTHING.values;
  return (await readKept(client, [mandant])).get(mandant)?.values ?? NOTHING.values;
}

/** Mandanten, and values of all of them, beyond which everything is read anew. */
const MOST_MANDANTEN = 20_000;
const MOST_VALUES = 500_000;

/** What was read is remembered: under the counting lock its number tells whether it still holds. */
export class RememberedChoices {
  readonly #known = new Map<string, KeptChoice>();
  #values = 0;

  async of(db: Pick<OwnerDatabase, 'query'>, mandanten: readonly string[]): Promise<Map<string, KeptChoice>> {
    const missing = mandanten.filter((mandant) => !this.#known.has(mandant));
    if (missing.length > 0)
      for (const [mandant, choice] of await readKept(db, missing)) this.#remember(mandant, choice);
    return new Map(mandanten.map((mandant) => [mandant, this.#known.get(mandant) ?? NOTHING]));
  }

  forget(mandant: string): void {
    this.#known.delete(mandant);
  }

  #remember(mandant: string, choice: KeptChoice): void {
    if (this.#known.size >= MOST_MANDANTEN || this.#values >= MOST_VALUES) {
      this.#known.clear();
      this.#values = 0;
    }
    this.#known.set(mandant, choice);
    for (const texts of choice.values.values()) this.#values += texts.size;
  }
}
