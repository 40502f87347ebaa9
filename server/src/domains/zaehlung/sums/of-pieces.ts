/** Running sums of some values, added up of the rows of pieces. */
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName } from '#contracts';
import {
  type Grain,
  LIMB_EXPONENTS,
  MINUTE_HOURS,
  type PieceColumn,
  readPiece,
  STEP_DIGITS,
  type SumColumn,
  TOTAL,
} from '#domains/verbrauch/index.ts';
import { EUR_SCALE, type Eur, eurText } from '#kernel/money.ts';

const MS_OF_MINUTE = 60_000;
const MINUTES_OF_HOUR = 60;

/** Whether sums of a value are wanted, by the numbers of its dimension and its own (`merkmal_id`). */
export type Wanted = (dimension: number, merkmal: number) => boolean;

const NAMES: { name: DimensionName | null; number: number }[] = [
  { name: null, number: TOTAL.dimension },
  ...DIMENSION_NAMES.map((name) => ({ name, number: DIMENSIONS[name].number })),
];
/** What a limb of an amount in EUR is worth in its smallest unit. */
const LIMBS = LIMB_EXPONENTS.map((exponent, limb) => ({
  column: `kosten_eur_${limb}` as PieceColumn,
  worth: 10n ** BigInt(EUR_SCALE + exponent),
}));
const COUNTS = ['aufrufe', 'fehler', 'unbepreist', 'geschaetzt'] as const;
const HISTOGRAMS = ['latenz', 'erste_zeichen'] as const;
const stepWorth = (step: number): bigint => 10n ** BigInt(STEP_DIGITS * (step - 1));

/** The sums of a value in a period. */
class Cell {
  readonly counts = COUNTS.map(() => 0);
  token = 0n;
  eur = 0n;
  /** By histogram. */
  readonly steps = [0n, 0n];

  readonly dimension: number;
  readonly merkmal: number;
  /** Minutes since 1970. */
  readonly begins: number;

  constructor(dimension: number, merkmal: number, begins: number) {
    this.dimension = dimension;
    this.merkmal = merkmal;
    this.begins = begins;
  }

  /** By column of the table, as text. */
  texts(): Record<SumColumn, string> {
    const [aufrufe, fehler, unbepreist, geschaetzt] = this.counts.map(String) as [
      string,
      string,
      string,
      string,
    ];
    const [latenz, erste_zeichen] = this.steps.map(String) as [string, string];
    const token = `${this.token}`;
    return {
      aufrufe,
      fehler,
      unbepreist,
      geschaetzt,
      token,
      kosten_eur: eurText(this.eur as Eur),
      latenz,
      erste_zeichen,
    };
  }
}

export class SumsOfPieces {
  readonly #cells: Record<Grain, Map<string, Cell>> = { minute: new Map(), stunde: new Map() };
  /** Minutes since 1970 from which on there are sums. */
  readonly #since: Record<Grain, number>;

  /** `now`: milliseconds since 1970, which says from when on there are sums by the minute; `hoursFrom` says it of those by the hour. */
  constructor(now: number, hoursFrom: number) {
    this.#since = {
      minute: Math.floor(now / MS_OF_MINUTE) - MINUTE_HOURS * MINUTES_OF_HOUR,
      stunde: hoursFrom / MS_OF_MINUTE,
    };
  }

  /** How many there are. */
  get size(): number {
    return this.#cells.minute.size + this.#cells.stunde.size;
  }

  /** Adds the rows of a packed piece. */
  add(piece: Uint8Array, wanted: Wanted): void {
    const columns = new Map<PieceColumn, Float64Array>();
    const count = readPiece(piece, (name, rows) => {
      const values = new Float64Array(rows);
      columns.set(name, values);
      return values;
    });
    const of = (name: PieceColumn, row: number) => columns.get(name)?.[row] ?? 0;
    for (let row = 0; row < count; row += 1) {
      const [minute, hour] = [of('minute', row), of('stunde', row)];
      if (hour < this.#since.stunde) continue;
      for (const { name, number } of NAMES) {
        const merkmal = name === null ? TOTAL.merkmal : of(name, row);
        if (!wanted(number, merkmal)) continue;
        this.#addRow(this.#cell('stunde', number, merkmal, hour), of, row);
        if (minute >= this.#since.minute)
          this.#addRow(this.#cell('minute', number, merkmal, minute), of, row);
      }
    }
  }

  /** What was added since, which it is no longer. */
  take(
    grain: Grain,
  ): { dimension: number; merkmal: number; begins: string; sums: Record<SumColumn, string> }[] {
    const cells = [...this.#cells[grain].values()];
    this.#cells[grain].clear();
    return cells.map((cell) => ({
      dimension: cell.dimension,
      merkmal: cell.merkmal,
      begins: new Date(cell.begins * MS_OF_MINUTE).toISOString(),
      sums: cell.texts(),
    }));
  }

  #cell(grain: Grain, dimension: number, merkmal: number, begins: number): Cell {
    const cells = this.#cells[grain];
    const key = `${dimension} ${merkmal} ${begins}`;
    const known = cells.get(key);
    if (known) return known;
    const cell = new Cell(dimension, merkmal, begins);
    cells.set(key, cell);
    return cell;
  }

  #addRow(cell: Cell, of: (name: PieceColumn, row: number) => number, row: number): void {
    const { counts, steps } = cell;
    for (const [index, name] of COUNTS.entries()) counts[index] = (counts[index] as number) + of(name, row);
    cell.token += BigInt(of('eingabe_token', row)) + BigInt(of('ausgabe_token', row));
    for (const { column, worth } of LIMBS) {
      const limb = of(column, row);
      if (limb !== 0) cell.eur += BigInt(limb) * worth;
    }
    const calls = BigInt(of('aufrufe', row));
    for (const [index, name] of HISTOGRAMS.entries()) {
      const step = of(name, row);
      if (step !== 0) steps[index] = (steps[index] as bigint) + calls * stepWorth(step);
    }
  }
}
