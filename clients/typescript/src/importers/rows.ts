/** Files of other services as rows, piece by piece as they come: CSV, a list in JSON, or an object a line. */
import { parse } from 'csv-parse/sync';
import { parseJson } from '../json.ts';
import { NotImportable } from './not-importable.ts';
import { ObjectCutter } from './objects.ts';

export type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Under which names services put the list, where the file is one object. */
const LISTS = ['data', 'results', 'observations', 'logs', 'requests'];

function rowsIn(value: unknown): Row[] {
  if (Array.isArray(value)) return value.filter(isRow);
  if (!isRow(value)) return [];
  const list = LISTS.map((name) => value[name]).find(Array.isArray);
  return list ? list.filter(isRow) : [value];
}

/** Reads one form of files. */
interface Form {
  /** The rows that are whole with this text. */
  add(text: string): Row[];
  /** The rows of what is there without an end. */
  end(): Row[];
}

/** The rows of JSON texts; what is none is noted. */
const parsed = (texts: readonly string[], onFault: () => void): Row[] =>
  texts.flatMap((text) => {
    try {
      return rowsIn(parseJson(text));
    } catch {
      onFault();
      return [];
    }
  });

/** An object a line. A line that breaks off, as the last one of a file that is being written, is passed over. */
function linesForm(onFault: () => void): Form {
  let rest = '';
  const read = (lines: string[]) =>
    parsed(
      lines.filter((line) => line.trim() !== ''),
      onFault,
    );
  return {
    add(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      return read(lines);
    },
    end: () => read([rest]),
  };
}

/** A list, an object with one, or objects over several lines. */
function documentForm(onFault: () => void): Form {
  const cutter = new ObjectCutter(LISTS, () => {
    throw new NotImportable('zu_gross', 'A row of it is larger than 8 MiB.');
  });
  return {
    add: (text) => parsed(cutter.cut(text), onFault),
    end() {
      if (cutter.isOpen) onFault();
      return [];
    },
  };
}

const QUOTE = 34;
const NEWLINE = 10;

/** CSV with names in its first line. It is cut where a line ends outside of quotes. */
function csvForm(): Form {
  let rest = '';
  let quoted = false;
  let names: string[] | null = null;
  const read = (text: string): Row[] => {
    if (text.trim() === '') return [];
    const named = (head: string[]) => {
      names = head;
      return head;
    };
    return parse(text, { columns: names ?? named, skip_empty_lines: true, relax_column_count: true });
  };
  return {
    add(text) {
      let cut = -1;
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (code === QUOTE) quoted = !quoted;
        else if (code === NEWLINE && !quoted) cut = at + 1;
      }
      if (cut < 0) {
        rest += text;
        return [];
      }
      const whole = rest + text.slice(0, cut);
      rest = text.slice(cut);
      return read(whole);
    },
    end: () => read(rest),
  };
}

/** So much is looked at for the end of the first line. */
const FIRST_LINE = 1024 * 1024;

const isJson = (text: string): boolean => {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
};

/** Reads the rows of a file, whatever its form, which its beginning tells. */
export class RowReader {
  /** What could not be read. */
  unreadable = 0;
  #begin = '';
  #form: Form | null = null;

  readonly #onFault = () => {
    this.unreadable += 1;
  };

  add(text: string): Row[] {
    if (this.#form) return this.#form.add(text);
    this.#begin = (this.#begin + text).replace(/^\uFEFF/, '').trimStart();
    this.#form = this.#formOf(false);
    return this.#form ? this.#form.add(this.#begin) : [];
  }

  end(): Row[] {
    if (this.#form) return this.#form.end();
    const form = this.#formOf(true);
    return form ? [...form.add(this.#begin), ...form.end()] : [];
  }

  /** Null while the beginning does not tell. */
  #formOf(isWhole: boolean): Form | null {
    const [first] = this.#begin;
    if (first === undefined) return null;
    if (first === '[') return documentForm(this.#onFault);
    if (first !== '{') return csvForm();
    const end = this.#begin.indexOf('\n');
    if (end < 0 && !isWhole && this.#begin.length < FIRST_LINE) return null;
    const line = end < 0 ? this.#begin : this.#begin.slice(0, end);
    return isJson(line) ? linesForm(this.#onFault) : documentForm(this.#onFault);
  }
}
