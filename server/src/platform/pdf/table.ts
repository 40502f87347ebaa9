/** Tables that break over pages by whole rows, with the head again on each of them. */
import { HAIRLINE, INK, MUTED, PALE } from './colours.ts';
import type { Element } from './document.ts';
import type { Block, Sheet, Style } from './sheet.ts';

export interface Column {
  title: string;
  /** Points; the column that has none takes what the others leave. */
  width?: number;
  /** Amounts and counts stand on the right. */
  align?: 'left' | 'right';
}

export interface Row {
  /** As many as there are columns; the first says what the row is about. */
  cells: readonly string[];
  /** A sum stays with the row before it; a remark is no part of a sum. */
  kind?: 'sum' | 'remark';
}

const SIZE = 9;
const GAP = 3.6;
const BETWEEN = 10;
/** Names wrap; longer ones are cut, with the whole text for who hears it. */
const LINES = 3;

interface Cell extends Block {
  x: number;
}

interface SetRow {
  cells: Cell[];
  height: number;
  kind: Row['kind'] | 'head';
}

/** A table that is being set on a sheet. */
class Setting {
  readonly #sheet: Sheet;
  readonly #columns: { column: Column; x: number; width: number }[];
  readonly #head: SetRow;
  /** A row is looked at again when the one before it is placed. */
  readonly #set = new WeakMap<Row, SetRow>();
  readonly #table: Element;
  readonly #body: Element;

  constructor(sheet: Sheet, columns: readonly Column[], rows: readonly Row[]) {
    this.#sheet = sheet;
    const taken = columns.reduce((sum, { width = 0 }) => sum + width, 0);
    const rest = sheet.width - taken - (columns.length - 1) * BETWEEN;
    let x = sheet.left;
    this.#columns = columns.map((column) => {
      const placed = { column, x, width: column.width ?? rest };
      x += placed.width + BETWEEN;
      return placed;
    });
    this.#head = this.#broken({ cells: columns.map(({ title }) => title) }, 'head');
    sheet.keep(this.#head.height + this.#heightFrom(rows, 0));
    const { pdf } = sheet;
    this.#table = pdf.element(sheet.root, 'Table');
    const head = pdf.element(this.#table, 'THead');
    this.#drawTagged(head, this.#head);
    head.end();
    this.#body = pdf.element(this.#table, 'TBody');
  }

  /** Broken into lines, not drawn yet. */
  #broken(row: Row, kind: SetRow['kind']): SetRow {
    const style: Style = {
      size: kind === 'head' ? 8 : SIZE,
      weight: kind === 'sum' || kind === 'head' ? 'bold' : 'regular',
      color: kind === 'head' || kind === 'remark' ? MUTED : INK,
    };
    const cells = this.#columns.map(({ column: { align = 'left' }, x, width }, index) => {
      const block = this.#sheet.block(row.cells[index] ?? '', width, { ...style, align }, LINES);
      return { ...block, x };
    });
    return { cells, kind, height: Math.max(...cells.map(({ height }) => height)) + 2 * GAP };
  }

  #drawRules({ kind, height }: SetRow): void {
    const sheet = this.#sheet;
    if (kind === 'sum') sheet.area(sheet.left - 6, sheet.y, sheet.width + 12, height, PALE);
    if (kind === 'head') sheet.rule(sheet.y + height - 0.8, sheet.accent.mark, 0.8);
    else sheet.rule(sheet.y + height - 0.4, HAIRLINE, 0.4);
  }

  #drawTagged(parent: Element, row: SetRow): void {
    const sheet = this.#sheet;
    this.#drawRules(row);
    const element = sheet.pdf.element(parent, 'TR');
    row.cells.forEach((cell, index) => {
      const isHead = row.kind === 'head';
      const scope = isHead ? 'Column' : 'Row';
      const isHeading = isHead || index === 0;
      sheet.put(element, isHeading ? 'TH' : 'TD', cell, cell.x, sheet.y + GAP, isHeading ? { scope } : {});
    });
    element.end();
    sheet.y += row.height;
  }

  /** Who hears the document has heard the head already. */
  #repeatHead(): void {
    const sheet = this.#sheet;
    this.#drawRules(this.#head);
    sheet.pdf.artifact('Pagination', () => {
      for (const cell of this.#head.cells) sheet.draw(cell, cell.x, sheet.y + GAP);
    });
    sheet.y += this.#head.height;
  }

  #rowOf(row: Row): SetRow {
    return this.#set.getOrInsertComputed(row, () => this.#broken(row, row.kind));
  }

  /** The height of a row with the sums that stay with it. */
  #heightFrom(rows: readonly Row[], index: number): number {
    const row = rows[index];
    if (!row) return 0;
    const follows = rows[index + 1]?.kind === 'sum' ? this.#heightFrom(rows, index + 1) : 0;
    return this.#rowOf(row).height + follows;
  }

  add(rows: readonly Row[], index: number): void {
    if (this.#sheet.y + this.#heightFrom(rows, index) > this.#sheet.bottom) {
      this.#sheet.nextPage();
      this.#repeatHead();
    }
    const row = rows[index] as Row;
    this.#drawTagged(this.#body, this.#rowOf(row));
  }

  end(): void {
    this.#body.end();
    this.#table.end();
  }
}

/** Sets a table with at least one row. */
export function table(sheet: Sheet, columns: readonly Column[], rows: readonly Row[]): void {
  const setting = new Setting(sheet, columns, rows);
  rows.forEach((_, index) => {
    setting.add(rows, index);
  });
  setting.end();
}
