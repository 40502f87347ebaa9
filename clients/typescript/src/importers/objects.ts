/** Cuts the objects out of a JSON text that comes in pieces, so that a large list is never in memory as a whole. */

const MAX_OBJECT = 8 * 1024 * 1024;
const NOWHERE = -1;

const [QUOTE, BACKSLASH] = [34, 92];
const [OPEN_LIST, CLOSE_LIST] = [91, 93];
const [OPEN_OBJECT, CLOSE_OBJECT] = [123, 125];

/** Finds the elements of a list, of the lists of these names in an object, and objects without one. */
export class ObjectCutter {
  readonly #lists: readonly string[];
  readonly #tooLarge: () => never;
  /** What is not given away, and how far it has been looked at. */
  #text = '';
  #at = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Where the latest text in the outermost object begins, and what it was. */
  #nameFrom = NOWHERE;
  #name = '';
  /** At which depth elements begin; none outside of a list. */
  #rowDepth = NOWHERE;
  #rowFrom = NOWHERE;
  /** Where the outermost object begins, as long as it may be a row itself. */
  #outerFrom = NOWHERE;

  constructor(lists: readonly string[], tooLarge: () => never) {
    this.#lists = lists;
    this.#tooLarge = tooLarge;
  }

  /** Whether something has begun that has no end. */
  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** The objects that are whole with this text, each as JSON. */
  cut(text: string): string[] {
    this.#text += text;
    const found: string[] = [];
    for (; this.#at < this.#text.length; this.#at += 1) {
      const object = this.#look(this.#text.charCodeAt(this.#at));
      if (object !== null) found.push(object);
    }
    this.#letGo();
    return found;
  }

  #look(code: number): string | null {
    if (this.#isInString) this.#lookInString(code);
    else if (code === QUOTE) {
      this.#isInString = true;
      this.#nameFrom = this.#depth === 1 ? this.#at + 1 : NOWHERE;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) this.#open(code === OPEN_LIST);
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) return this.#close(code === CLOSE_LIST);
    return null;
  }

  #lookInString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) {
      this.#isInString = false;
      if (this.#depth === 1) this.#name = this.#text.slice(this.#nameFrom, this.#at);
    }
  }

  #open(isList: boolean): void {
    if (isList && this.#depth === 0) this.#rowDepth = 1;
    else if (isList && this.#isNamedList()) {
      this.#rowDepth = 2;
      this.#outerFrom = NOWHERE;
    } else if (!isList && this.#depth === this.#rowDepth) this.#rowFrom = this.#at;
    else if (!isList && this.#depth === 0) this.#outerFrom = this.#at;
    this.#depth += 1;
  }

  #isNamedList(): boolean {
    return this.#depth === 1 && this.#rowDepth === NOWHERE && this.#lists.includes(this.#name);
  }

  #close(isList: boolean): string | null {
    this.#depth = Math.max(0, this.#depth - 1);
    if (isList && this.#depth === this.#rowDepth - 1) this.#rowDepth = NOWHERE;
    if (isList) return null;
    if (this.#rowFrom !== NOWHERE && this.#depth === this.#rowDepth) {
      const row = this.#text.slice(this.#rowFrom, this.#at + 1);
      this.#rowFrom = NOWHERE;
      return row;
    }
    if (this.#depth > 0 || this.#outerFrom === NOWHERE) return null;
    const outer = this.#text.slice(this.#outerFrom, this.#at + 1);
    this.#outerFrom = NOWHERE;
    return outer;
  }

  /** Only what has begun is kept. */
  #letGo(): void {
    const begun = [this.#rowFrom, this.#outerFrom, this.#isInString ? this.#nameFrom : NOWHERE];
    const from = Math.min(this.#at, ...begun.filter((place) => place !== NOWHERE));
    if (this.#at - from > MAX_OBJECT) this.#tooLarge();
    const moved = (place: number) => (place === NOWHERE ? NOWHERE : place - from);
    this.#text = this.#text.slice(from);
    this.#at -= from;
    this.#rowFrom = moved(this.#rowFrom);
    this.#outerFrom = moved(this.#outerFrom);
    this.#nameFrom = this.#isInString ? moved(this.#nameFrom) : NOWHERE;
  }
}
