/** A PDF as others read it: text with its tags, places and colours. */
import { createCanvas } from '@napi-rs/canvas';
import { getDocument, OPS, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A piece of text where it stands; points from the lower left corner. */
export interface Piece {
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The tags around it from the outermost, `Document/Table/TR/TH`; '' where it has none. */
  tags: string;
}

interface StructNode {
  role?: string;
  type?: string;
  id?: string;
  alt?: string;
  children?: StructNode[];
}

/** Opens the bytes, which stay as they are. */
export const openPdf = (bytes: Uint8Array): Promise<PDFDocumentProxy> =>
  getDocument({ data: bytes.slice(), verbosity: 0 }).promise;

function tagsById(node: StructNode, path: string, found: Map<string, string>): Map<string, string> {
  if (node.type === 'content' && node.id !== undefined) found.set(node.id, path);
  const role = node.role && node.role !== 'Root' ? `${path}${path && '/'}${node.role}` : path;
  for (const child of node.children ?? []) tagsById(child, role, found);
  return found;
}

/** The pieces of a page in the order of its content. */
async function piecesOf(page: PDFPageProxy): Promise<Piece[]> {
  const tree = (await page.getStructTree()) as StructNode | null;
  const tags = tagsById(tree ?? {}, '', new Map());
  const { items } = await page.getTextContent({ includeMarkedContent: true });
  const pieces: Piece[] = [];
  let open: (string | undefined)[] = [];
  for (const item of items) {
    if ('str' in item) {
      if (item.str.trim() === '') continue;
      const [, , , , x = 0, y = 0] = item.transform as number[];
      const id = open.findLast((mark) => mark !== undefined);
      pieces.push({
        text: item.str,
        x,
        y,
        width: item.width,
        height: item.height,
        tags: tags.get(id ?? '') ?? '',
      });
    } else if (item.type === 'endMarkedContent') open = open.slice(0, -1);
    else open.push(item.id);
  }
  return pieces;
}

/** All pieces of a document, by page. */
export async function pagesOf(bytes: Uint8Array): Promise<Piece[][]> {
  const document = await openPdf(bytes);
  return Promise.all(
    Array.from({ length: document.numPages }, async (_, index) =>
      piecesOf(await document.getPage(index + 1)),
    ),
  );
}

/** The alternative texts of the figures of a page. */
export async function altsOf(page: PDFPageProxy): Promise<string[]> {
  const alts = (node: StructNode): string[] => [
    ...(node.role === 'Figure' ? [node.alt ?? ''] : []),
    ...(node.children ?? []).flatMap(alts),
  ];
  return alts(((await page.getStructTree()) as StructNode | null) ?? {});
}

/** What draws something on paper. */
const DRAWS: Set<number> = new Set([
  OPS.showText,
  OPS.constructPath,
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
]);

/** How often a page draws something that is neither tagged nor marked as an artifact. */
export async function untaggedOf(page: PDFPageProxy): Promise<number> {
  const { fnArray } = await page.getOperatorList();
  let [depth, untagged] = [0, 0];
  for (const operator of fnArray) {
    if (operator === OPS.beginMarkedContent || operator === OPS.beginMarkedContentProps) depth += 1;
    if (operator === OPS.endMarkedContent) depth -= 1;
    if (depth === 0 && DRAWS.has(operator)) untagged += 1;
  }
  return untagged;
}

/** A page as pixels, one for each point. */
export async function pixelsOf(page: PDFPageProxy, scale = 1) {
  const viewport = page.getViewport({ scale });
  const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
  // The canvas is one of Node, which pdf.js draws on though its types name that of browsers.
  const drawing = { canvas: canvas as never, viewport };
  await page.render(drawing).promise;
  return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
}

/** How many pixels have exactly a colour `#rrggbb`. */
export function countOf(pixels: Awaited<ReturnType<typeof pixelsOf>>, colour: string): number {
  const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  let count = 0;
  for (let at = 0; at < pixels.data.length; at += 4)
    if (wanted.every((part, channel) => pixels.data[at + channel] === part)) count += 1;
  return count;
}
