import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitStatements } from './statements.ts';

test.each([
  ['nothing', ' \n', []],
  ['comments alone', '-- nothing; at all\n/* neither; here */;', []],
  ['two', 'SELECT 1;\nSELECT 2;\n', ['SELECT 1', 'SELECT 2']],
  ['the last without its semicolon', 'SELECT 1; SELECT 2', ['SELECT 1', 'SELECT 2']],
  ['comments in between', 'A; -- B;\n/* C; /* D; */ E; */ F /* ; */ G; -- H', ['A', 'F /* ; */ G']],
  [
    'strings',
    `SELECT 'a;''b;', "c;""d;"; SELECT '--'; SELECT '/*'`,
    [`SELECT 'a;''b;', "c;""d;"`, `SELECT '--'`, `SELECT '/*'`],
  ],
  ['a backslash is one', `SELECT 'a\\'; SELECT 2`, [`SELECT 'a\\'`, 'SELECT 2']],
  ['but escapes after E', `SELECT E'a\\';b', e'\\\\'; SELECT 2`, [`SELECT E'a\\';b', e'\\\\'`, 'SELECT 2']],
  ['a name that ends with e', `SELECT type'a\\'; SELECT 2`, [`SELECT type'a\\'`, 'SELECT 2']],
  ['dollars', 'DO $$ a; b $$; DO $x$ $$; $y$; $x$; X', ['DO $$ a; b $$', 'DO $x$ $$; $y$; $x$', 'X']],
  [
    'dollars that quote nothing',
    'SELECT $1; SELECT a$b$; SELECT c$b$',
    ['SELECT $1', 'SELECT a$b$', 'SELECT c$b$'],
  ],
  ['quotes in dollars', "DO $$ it's -- fine /* $$; X", ["DO $$ it's -- fine /* $$", 'X']],
  [
    'rules',
    'CREATE RULE r AS ON INSERT TO t DO (A; B); C',
    ['CREATE RULE r AS ON INSERT TO t DO (A; B)', 'C'],
  ],
  [
    'bodies of functions',
    'CREATE FUNCTION f() BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; BEGIN; END; X',
    ['CREATE FUNCTION f() BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END', 'BEGIN', 'END', 'X'],
  ],
])('%s', (_, sql, statements) => {
  expect(splitStatements(sql)).toEqual(statements);
});

test.each(["SELECT 'a", 'SELECT "a', 'SELECT /* /* */'])('what does not end is refused: %s', (sql) => {
  expect(() => splitStatements(sql)).toThrow('does not end');
});

test('whatever the quoted text, the statements come back', () => {
  const text = fc.string({
    unit: fc.constantFrom("'", '"', '$', ';', '-', '/', '*', '\\', 'e', 'a', ' ', '\n'),
  });
  const literal = text.map((value) => `'${value.replaceAll("'", "''")}'`);
  const name = text.map((value) => `"${value.replaceAll('"', '""')}"`);
  const dollars = text.map((value) => `$q$${value}$q$`);
  const statement = fc
    .array(fc.oneof(literal, name, dollars), { minLength: 1 })
    .map((parts) => `SELECT ${parts.join(' , ')}`);
  fc.assert(
    fc.property(fc.array(statement), (statements) => {
      expect(splitStatements(statements.map((one) => `${one};\n-- it's over;\n`).join(''))).toEqual(
        statements,
      );
    }),
  );
});

test('the migrations lose nothing but comments', () => {
  const directory = join(import.meta.dirname, '../../../migrations');
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.sql'))) {
    const sql = readFileSync(join(directory, file), 'utf8');
    const statements = splitStatements(sql);
    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements)
      expect(statement).toMatch(/^(ALTER|CREATE|DO|DROP|GRANT|INSERT|REVOKE|SELECT|UPDATE|DELETE|COMMENT)\b/);
  }
});
