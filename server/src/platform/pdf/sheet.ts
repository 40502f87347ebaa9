/** Pages that are filled from top to bottom: headings, paragraphs, what stands on every page. */
import { countText } from '#kernel/format.ts';
import type { Language, Sentence } from '#kernel/sentence.ts';
import { type Accent, HAIRLINE, INK, MUTED } from './colours.ts';
import { type Element, type ElementOptions, TaggedDocument, type Weight } from './document.ts';
import type { About } from './metadata.ts';
import type { Picture } from './picture.ts';
import { linesOf, type Measure, showable } from './text.ts';

export interface Style {
  size: number;
  weight?: Weight;
  color?: string;
  align?: 'left' | 'right';
}

/** Lines of a text, broken for the width at which they will stand. */
export interface Block {
  lines: string[];
  height: number;
  style: Style;
  width: number;
  /** The whole text, where it was cut. */
  whole: string | null;
}

/** What goes onto every page. */
export interface EveryPage {
  /** At the foot; its own line ends are kept. */
  footer: string | null;
  /** Beside the page number, and at the head of the pages after the first. */
  running: string;
}

const PAGE = { width: 595.28, height: 841.89, side: 57, top: 62, edge: 30 };
const SMALL = 7.5;
const FOOTER_LINES = 8;
/** Of the size of the font, from one base line to the next. */
const LEADING = 1.36;
const PAGE_OF: Sentence = { de: 'Seite {n} von {m}', en: 'Page {n} of {m}' };

/** Once lines are broken; these share a sign with the others, and a reader gets the one that comes first only. */
const plainly = (line: string) => line.replace(/\u00a0/g, ' ').replace(/\u2011/g, '-');

export class Sheet {
  readonly pdf: TaggedDocument;
  readonly language: Language;
  readonly accent: Accent;
  readonly left = PAGE.side;
  readonly right = PAGE.width - PAGE.side;
  readonly width = PAGE.width - 2 * PAGE.side;
  /** Where the content of a page ends. */
  readonly bottom: number;
  readonly root: Element;
  /** Where the next thing begins. */
  y = 0;
  readonly #everyPage: EveryPage;
  readonly #footer: Block;

  constructor(about: About, language: Language, accent: Accent, everyPage: EveryPage) {
    this.pdf = new TaggedDocument(about, language);
    this.language = language;
    this.accent = accent;
    this.#everyPage = everyPage;
    const style = { size: SMALL, color: MUTED };
    const text = everyPage.footer ?? '';
    this.#footer = this.block(text, this.width, style, text === '' ? 0 : FOOTER_LINES);
    this.bottom = PAGE.height - PAGE.edge - 2 * SMALL * LEADING - this.#footer.height - 14;
    this.root = this.pdf.element(null, 'Document');
    this.nextPage();
  }

  /** Begins a page. */
  nextPage(): void {
    this.pdf.addPage();
    this.y = PAGE.top;
  }

  /** Begins a page where less is left than what must stay together. */
  keep(height: number): void {
    if (this.y + height > this.bottom) this.nextPage();
  }

  measure({ size, weight = 'regular' }: Style): Measure {
    return (text) => this.pdf.font(weight).fontSize(size).widthOfString(text);
  }

  /** Breaks a text into at most this many lines. */
  block(text: string, width: number, style: Style, atMost?: number): Block {
    const shown = showable(text, (codePoint) => this.pdf.hasSign(codePoint));
    const { lines, isCut } =
      atMost === 0 ? { lines: [], isCut: false } : linesOf(shown, width, this.measure(style), atMost);
    return { lines, height: lines.length * style.size * LEADING, style, width, whole: isCut ? shown : null };
  }

  /** Draws lines within the element or artifact that is open. */
  draw({ lines, style, width }: Block, x: number, y: number): void {
    const { size, weight = 'regular', color = INK, align = 'left' } = style;
    this.pdf.font(weight).fontSize(size).fillColor(color);
    lines.map(plainly).forEach((line, index) => {
      const shift = align === 'right' ? width - this.pdf.widthOfString(line) : 0;
      this.pdf.text(line, x + shift, y + index * size * LEADING, { lineBreak: false });
    });
  }

  /** Draws lines as an element of their own; what was cut off is there for who hears the document. */
  put(parent: Element, type: string, block: Block, x: number, y: number, options: ElementOptions = {}): void {
    const spoken = block.whole === null ? {} : { actual: block.whole };
    this.pdf.element(parent, type, { ...options, ...spoken }, () => this.draw(block, x, y)).end();
  }

  /** A heading that stays with as much of what follows. */
  heading(level: 1 | 2, text: string, follows: number): void {
    const style: Style = {
      size: level === 1 ? 22 : 12,
      weight: 'bold',
      color: level === 1 ? INK : this.accent.text,
    };
    const block = this.block(text, this.width, style, 3);
    const before = level === 1 ? 0 : 22;
    this.keep(before + block.height + follows);
    if (this.y > PAGE.top) this.y += before;
    this.put(this.root, `H${level}`, block, this.left, this.y);
    this.y += block.height + (level === 1 ? 2 : 6);
  }

  /** A paragraph; breaks over pages by whole lines. */
  paragraph(text: string, style: Style = { size: 9.5 }): void {
    const block = this.block(text, this.width, style);
    const line = style.size * LEADING;
    let rest = block.lines;
    const element = this.pdf.element(this.root, 'P');
    while (rest.length > 0) {
      this.keep(Math.min(2, rest.length) * line);
      const count = Math.max(1, Math.floor((this.bottom - this.y) / line));
      const now = { ...block, lines: rest.slice(0, count) };
      const { y } = this;
      element.add(() => this.draw(now, this.left, y));
      rest = rest.slice(count);
      this.y += now.lines.length * line;
    }
    element.end();
    this.y += 5;
  }

  /** Draws a picture as large as it fits, at the upper right of a box. */
  picture(picture: Picture, alt: string, x: number, y: number, box: { width: number; height: number }): void {
    const bbox: [number, number, number, number] = [x, y, x + box.width, y + box.height];
    this.pdf
      .element(this.root, 'Figure', { alt, bbox, placement: 'Block' }, () => {
        const fit: [number, number] = [box.width, box.height];
        this.pdf.image(Buffer.from(picture.bytes), x, y, { fit, align: 'right' });
      })
      .end();
  }

  rule(y: number, color: string = HAIRLINE, height = 0.6): void {
    this.area(this.left, y, this.width, height, color);
  }

  area(x: number, y: number, width: number, height: number, color: string): void {
    this.pdf.artifact('Layout', () => this.pdf.rect(x, y, width, height).fill(color));
  }

  #drawHead(): void {
    this.draw(
      this.block(this.#everyPage.running, this.width, { size: SMALL, color: MUTED }, 1),
      this.left,
      32,
    );
    this.pdf.rect(this.left, 46, this.width, 0.6).fill(HAIRLINE);
  }

  #drawFoot(page: number, pages: number): void {
    const footer = this.#footer;
    const rule = this.bottom + 10;
    this.pdf.rect(this.left, rule, this.width, 0.6).fill(this.accent.mark);
    this.draw(footer, this.left, rule + 6);
    const number = PAGE_OF[this.language]
      .replace('{n}', countText(page, this.language))
      .replace('{m}', countText(pages, this.language));
    const style: Style = { size: SMALL, color: MUTED };
    const y = rule + 6 + footer.height + (footer.height > 0 ? 3 : 0);
    this.draw(this.block(this.#everyPage.running, this.width - 90, style, 1), this.left, y);
    this.draw(this.block(number, 80, { ...style, align: 'right' }, 1), this.right - 80, y);
  }

  /** Puts onto each page what stands on all of them and answers the document's bytes; nothing can be added after it. */
  finish(): Promise<Uint8Array> {
    const { count } = this.pdf.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.pdf.switchToPage(page);
      this.pdf.artifact('Pagination', () => {
        this.pdf.rect(0, 0, PAGE.width, page === 0 ? 10 : 4).fill(this.accent.plain);
        if (page > 0) this.#drawHead();
        this.#drawFoot(page + 1, count);
      });
    }
    this.root.end();
    return this.pdf.bytes();
  }
}
