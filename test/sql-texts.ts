/** The SQL that the source of the service has, read from its syntax: texts as they are written, Kysely's builders by how they begin. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseOptions, parseSync } from '@swc/core';

export interface SqlText {
  /** Below `server/src`. */
  file: string;
  text: string;
  /** The function, constant or other declaration that it stands in, as it is written. */
  around: string;
}

/** Stands for what is put into a text later. */
export const HOLE = '…';

const SOURCE = join(import.meta.dirname, '../server/src');
const SYNTAX: ParseOptions = { syntax: 'typescript', target: 'es2022' };
const BUILDERS: Record<string, string> = {
  selectFrom: 'FROM',
  innerJoin: 'JOIN',
  leftJoin: 'JOIN',
  insertInto: 'INSERT INTO',
  updateTable: 'UPDATE',
  deleteFrom: 'DELETE FROM',
};

/** Without one of them a file has no SQL. */
const WORD = new RegExp(
  String.raw`\b(?:SELECT|INSERT|UPDATE|DELETE|TRUNCATE|COPY|USING|FROM|JOIN|${Object.keys(BUILDERS).join('|')})\b`,
);

type Span = { start: number; end: number };
type Node = { type?: string; span?: Span; [field: string]: unknown };

/** What a call of Kysely's builder does, as the beginning of its SQL. */
function builderText(node: Node): string | null {
  const callee = node.callee as Node;
  const word = BUILDERS[((callee.property as Node | undefined)?.value as string) ?? ''];
  const first = (node.arguments as { expression: Node }[])[0]?.expression;
  if (callee.type !== 'MemberExpression' || !word || !first) return null;
  return `${word} ${first.type === 'StringLiteral' ? first.value : HOLE}`;
}

function textOf({ type, ...fields }: Node): string | null {
  if (type === 'StringLiteral') return fields.value as string;
  if (type === 'TemplateLiteral')
    return (fields.quasis as { cooked: string }[]).map(({ cooked }) => cooked).join(HOLE);
  return type === 'CallExpression' ? builderText(fields) : null;
}

/** Every text of a program that may be SQL, with the place of the declaration around it. */
function* textsOf(node: unknown, around: Span): Generator<{ text: string; around: Span }> {
  if (node === null || typeof node !== 'object') return;
  const { type, span } = node as Node;
  const inside = span && /^(Function|Variable)Declaration$|Method/.test(type ?? '') ? span : around;
  const text = textOf(node as Node);
  if (text !== null) yield { text, around: inside };
  for (const value of Object.values(node)) yield* textsOf(value, inside);
}

function read(file: string): SqlText[] {
  const code = readFileSync(join(SOURCE, file), 'utf8');
  if (!WORD.test(code)) return [];
  // Places are counted in bytes, on from what was read before: the semicolon shows where the file begins.
  const source = Buffer.from(`;${code}`);
  const program = parseSync(source.toString(), SYNTAX);
  return [...textsOf(program, program.span)].map(({ text, around: { start, end } }) => ({
    file,
    text,
    // Only few are looked at.
    get around() {
      return source.subarray(start - program.span.start, end - program.span.start).toString();
    },
  }));
}

const known = new Map<string, SqlText[]>();

/** What a file below `server/src` has; nothing where no word of SQL stands in it. */
export function sqlTextsOf(file: string): SqlText[] {
  const texts = known.get(file) ?? read(file);
  known.set(file, texts);
  return texts;
}

/** The files below `server/src` that are no tests. */
export const sourceFiles = (readdirSync(SOURCE, { recursive: true }) as string[]).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);
