/**
 * The ids of events while they are counted: their bytes one behind the other, and a hash table that tells them apart. A string
 * of each, in a `Set`, would cost more than all that is done with an event's figures.
 */
import { randomBytes } from 'node:crypto';
import { UUID_BYTES, uuidBytes, uuidText } from '#kernel/hex.ts';

const FIRST_IDS = 4;
const NONE = -1;
/** Unknown to those who choose ids: they cannot choose such as share a place in the table. */
const SEEDS = new Int32Array(new Uint8Array(randomBytes(UUID_BYTES)).buffer);
/** Multipliers of MurmurHash3's mixing steps. */
const MIX = 0xcc9e2d51;
const MIX_AGAIN = 0x85ebca6b;

function hashOf(ids: Buffer, index: number): number {
  let hash = 0;
  for (let word = 0; word < 4; word += 1) {
    const at = UUID_BYTES * index + 4 * word;
    const value =
      (ids[at] as number) |
      ((ids[at + 1] as number) << 8) |
      ((ids[at + 2] as number) << 16) |
      ((ids[at + 3] as number) << 24);
    let mixed = Math.imul(value ^ (SEEDS[word] as number), MIX);
    mixed ^= mixed >>> 15;
    hash = Math.imul(hash ^ mixed, MIX_AGAIN);
    hash ^= hash >>> 13;
  }
  return hash >>> 0;
}

function isSame(ids: Buffer, index: number, others: Buffer, other: number): boolean {
  const at = UUID_BYTES * index;
  const distance = UUID_BYTES * other - at;
  for (let byte = at; byte < at + UUID_BYTES; byte += 1)
    if (ids[byte] !== others[byte + distance]) return false;
  return true;
}

/** A set of ids that keeps their order. */
export class EventIds {
  #bytes = Buffer.alloc(FIRST_IDS * UUID_BYTES);
  #count = 0;
  /** Twice as many places as there is room for ids; each holds the number of an id, or none. */
  #table = new Int32Array(2 * FIRST_IDS).fill(NONE);

  get count(): number {
    return this.#count;
  }

  /** All ids, 16 bytes each. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, UUID_BYTES * this.#count);
  }

  /** Canonical texts. */
  texts(): string[] {
    return Array.from({ length: this.#count }, (_, index) => uuidText(this.#bytes, UUID_BYTES * index));
  }

  /** Whether id number `index` of a column is among these. */
  has(ids: Buffer, index: number): boolean {
    return this.#table[this.#placeOf(ids, index)] !== NONE;
  }

  /** Adds id number `index` of a column; false when it is there already. */
  add(ids: Buffer, index: number): boolean {
    if (2 * this.#count === this.#table.length) this.#grow();
    const place = this.#placeOf(ids, index);
    if (this.#table[place] !== NONE) return false;
    const to = UUID_BYTES * this.#count;
    for (let byte = 0; byte < UUID_BYTES; byte += 1)
      this.#bytes[to + byte] = ids[UUID_BYTES * index + byte] as number;
    this.#table[place] = this.#count;
    this.#count += 1;
    return true;
  }

  /** Adds an id by its canonical text. */
  addText(uuid: string): void {
    this.add(uuidBytes(uuid), 0);
  }

  /** Takes back all but the first `count`. */
  truncate(count: number): void {
    this.#count = count;
    this.#fillTable();
  }

  #placeOf(ids: Buffer, index: number): number {
    const last = this.#table.length - 1;
    let place = hashOf(ids, index) & last;
    for (;;) {
      const number = this.#table[place] as number;
      if (number === NONE || isSame(this.#bytes, number, ids, index)) return place;
      place = (place + 1) & last;
    }
  }

  #grow(): void {
    this.#bytes = Buffer.concat([this.#bytes], 2 * this.#bytes.length);
    this.#table = new Int32Array(2 * this.#table.length);
    this.#fillTable();
  }

  #fillTable(): void {
    this.#table.fill(NONE);
    for (let number = 0; number < this.#count; number += 1)
      this.#table[this.#placeOf(this.#bytes, number)] = number;
  }
}
