/** A PDF document as the library makes it, with what the library leaves open: fonts, claims, tags that its types do not know. */
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import type { Language } from '#kernel/sentence.ts';
import { type About, descriptionsOf } from './metadata.ts';

export type Element = PDFKit.PDFStructureElement;
/** What an element says beside its content; `scope` of a heading in a table, `bbox` of a figure. */
export interface ElementOptions {
  alt?: string;
  actual?: string;
  scope?: 'Column' | 'Row';
  /** Left, top, right, bottom in points from the page's upper left corner. */
  bbox?: [number, number, number, number];
  placement?: 'Block';
}

const fontFile = (path: string) =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${path}.ttf`));
/** Latin with all its extensions, Greek and Cyrillic; digits of one width. Its licence (OFL) allows embedding. */
const FONTS = {
  regular: fontFile('400Regular/NotoSans_400Regular'),
  bold: fontFile('600SemiBold/NotoSans_600SemiBold'),
};
export type Weight = keyof typeof FONTS;

const LANGUAGES: Record<Language, string> = { de: 'de-DE', en: 'en-GB' };
const PRODUCER = 'Zählwerk';
/** Room for the foot is kept by who sets the pages. */
const NO_MARGINS = { top: 0, bottom: 0, left: 0, right: 0 };

/** The library opens fonts with fontkit, which says what they hold. */
interface OpenFont {
  font: { hasGlyphForCodePoint(codePoint: number): boolean };
}

export class TaggedDocument extends PDFDocument {
  readonly #about: About;

  constructor(about: About, language: Language) {
    super({
      size: 'A4',
      margins: NO_MARGINS,
      autoFirstPage: false,
      // The number of pages stands on each of them.
      bufferPages: true,
      // None yet: one that was opened by its file is opened anew whenever it is named.
      font: '',
      pdfVersion: '1.7',
      subset: 'PDF/A-3a',
      tagged: true,
      displayTitle: true,
      lang: LANGUAGES[language],
      info: {
        Title: about.title,
        Author: about.author,
        Creator: PRODUCER,
        Producer: PRODUCER,
        CreationDate: about.madeAt,
      },
    });
    this.#about = about;
    for (const [weight, file] of Object.entries(FONTS)) this.registerFont(weight, file);
    this.font('regular');
  }

  /** Called by the library, whose own texts are put into the XML as they are, `&` and `<` included. */
  _addInfo(): void {
    this.appendXML(descriptionsOf(this.#about, PRODUCER));
  }

  /** Whether the fonts have a sign of their own for a character. */
  hasSign(codePoint: number): boolean {
    const { font } = (this as unknown as { _font: OpenFont })._font;
    return font.hasGlyphForCodePoint(codePoint);
  }

  /** Adds an element; with `draw`, what that draws is all it holds. The adder of elements without it ends them. */
  element(parent: Element | null, type: string, options: ElementOptions = {}, draw?: () => void): Element {
    const made = this.struct(
      type,
      options as PDFKit.Mixins.StructureElementOptions,
      draw ? [draw] : undefined,
    );
    if (parent) parent.add(made);
    else this.addStructure(made);
    return made;
  }

  /** Draws what means nothing by itself: rules, areas, and what stands on every page. */
  artifact(type: 'Pagination' | 'Layout', draw: () => void): void {
    this.markContent('Artifact', { type });
    draw();
    this.endMarkedContent();
  }

  /** Ends the document and answers its bytes. */
  bytes(): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const chunks: Buffer[] = [];
    this.on('data', (chunk: Buffer) => chunks.push(chunk));
    this.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
    this.on('error', reject);
    this.end();
    return promise;
  }
}
