/**
 * Forms of statements that one server takes and a cluster (Citus 13) refuses, found by their text alone: of what type a column
 * is is not known here, so that some are found fault with that would do; what a builder puts together is not seen. Everything
 * else only a cluster itself tells.
 */
import { VOLUME_TABLES } from '#platform/database/volume-tables.ts';
import { HOLE } from './sql-texts.ts';
import { tablesOfKind } from './statements.ts';

const VOLUME = new Set<string>(VOLUME_TABLES);
/** Those that stay on the coordinator. */
const ACCOUNT = new Set([...tablesOfKind('account'), ...tablesOfKind('installation')]);

/** The arguments of a call, with one call more in them. */
const CALLED = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
const NOW =
  /\b(?:now|statement_timestamp|transaction_timestamp|clock_timestamp)\(|\b(?:current_(?:date|time|timestamp)|localtime(?:stamp)?)\b/i;
const VOLATILE = /\b(?:clock_timestamp|timeofday|random|gen_random_uuid|uuidv7|nextval|setval)\(/i;
/** Dependent on the time zone or another setting. */
const SETTING = new RegExp(
  String.raw`\b(?:to_char|to_date|date_trunc|date_part|extract|age|format|concat|concat_ws|to_jsonb?|row_to_json|jsonb?_build_(?:object|array)|array_to_string)(${CALLED})`,
  'gi',
);
/** A column, or whatever else is no parameter and no call. */
const NAME = String.raw`(?<![\w$:.'${HOLE}])[a-z_]\w*(?:\.\w+)?`;
const CAST = new RegExp(String.raw`${NAME}::(?:date|time|timestamp|timestamptz|text|jsonb?)\b(?!\[)`, 'i');
const SIMPLE_CASE = /\bCASE\s+(?!WHEN\b)\S/;
const SPAN = String.raw`\s*[+-]\s*(?:interval\b|make_interval\(|\$\d+::interval\b)`;
const SHIFTED_NAME = new RegExp(NAME + SPAN, 'i');
const SHIFTED = new RegExp(SPAN, 'i');

const NAMES_MANDANT = /\bmandant_id (?:=|IN \((?!QUERY))/;

const callsSetting = (text: string) =>
  [...text.matchAll(SETTING)].some(([, given = '']) => !/\bAT TIME ZONE\b/i.test(given));

/** Whether what is worked out can differ for the same rows, from time to time or with a setting. */
const isUnsteady = (text: string) =>
  NOW.test(text) || VOLATILE.test(text) || CAST.test(text) || SHIFTED.test(text) || callsSetting(text);

/** A query by itself: those within it stand as `(QUERY)`. */
interface Level {
  text: string;
  within: Level[];
}

/** Parts a statement at its parentheses; other parentheses than those of queries stay. */
function levelOf(text: string): Level {
  const open: Level[] = [{ text: '', within: [] }];
  const plain = text.replace(/'(?:[^']|'')*'/g, "''").replace(/--[^\n]*/g, '');
  for (const sign of plain) {
    const inner = open.at(-1) as Level;
    const outer = open.at(-2);
    if (sign === '(') open.push({ text: '', within: [] });
    else if (sign !== ')' || !outer) inner.text += sign;
    else {
      open.pop();
      if (/^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(inner.text)) {
        outer.text += '(QUERY)';
        outer.within.push(inner);
      } else {
        outer.text += `(${inner.text})`;
        outer.within.push(...inner.within);
      }
    }
  }
  // What does not end is a part of a text that is put together.
  for (const { text: rest, within } of open.slice(1)) {
    (open[0] as Level).text += `(${rest}`;
    (open[0] as Level).within.push(...within);
  }
  return open[0] as Level;
}

const CHANGE = /(?<!DO |FOR |KEY )\b(INSERT INTO|UPDATE|DELETE FROM|MERGE INTO)\s+(?:ONLY\s+)?([\w…]+)/;
const SOURCES =
  /\b(?:FROM|JOIN|USING|UPDATE|INTO)\s+(?:ONLY\s+)?(\w+)(?:\s+(?:AS\s+)?(?!SET\b|WHERE\b|ON\b|USING\b|JOIN\b|LEFT\b|CROSS\b|INNER\b|GROUP\b|ORDER\b|FOR\b|LIMIT\b|VALUES\b)(\w+))?|,\s*(\w+)\s+(?:AS\s+)?(\w+)\b/gi;

interface Source {
  table: string;
  alias: string;
}
const sourcesOf = (text: string): Source[] =>
  [...text.matchAll(SOURCES)].map(([, first, alias, next, nextAlias]) => {
    const table = first ?? next ?? '';
    return { table, alias: alias ?? nextAlias ?? table };
  });
const kindOf = (table: string) => (VOLUME.has(table) ? 'volume' : ACCOUNT.has(table) ? 'account' : null);

/** Queries of tables of the other kind: they are asked apart, and what stands around them is not known there. */
function faultsOfWithin({ text, within }: Level): string[] {
  const outer = sourcesOf(text).filter(({ table }) => kindOf(table));
  const kinds = new Set(outer.map(({ table }) => kindOf(table)));
  // Together with one of the own kind a table is fetched beforehand.
  if (kinds.size > 1) return [];
  return within.flatMap((query) => {
    const others = sourcesOf(query.text)
      .map(({ table }) => kindOf(table))
      .filter((kind) => kind && !kinds.has(kind));
    const namesMandant = kinds.size === 0 && NAMES_MANDANT.test(query.text);
    if (others.length === 0 || (kinds.size === 0 && !others.includes('volume'))) return [];
    return [
      ...(outer.some(({ alias }) => query.text.includes(`${alias}.`))
        ? ['a query names a table of another kind around it']
        : []),
      ...(/^\s*SELECT\s+FROM\b/i.test(query.text) && !namesMandant
        ? ['a query without columns, asked apart']
        : []),
    ];
  });
}

/** What is done on a conflict, and what is given back. */
const endOf = (text: string) => ({
  conflict: /\bDO UPDATE SET\b([\s\S]*?)(?:\bRETURNING\b|$)/.exec(text)?.[1] ?? '',
  returned: /\bRETURNING\b([\s\S]*)$/.exec(text)?.[1] ?? '',
});

function faultsOfChange(verb: string, text: string): string[] {
  const { conflict, returned } = endOf(text);
  const changed = text.slice(0, text.length - returned.length);
  const chosen = [
    ...(/\bSET\b([\s\S]*?)(?:\bFROM\b|\bWHERE\b|$)/.exec(changed)?.[1] ?? '').matchAll(
      new RegExp(String.raw`\bCASE\b[\s\S]*?\bEND\b|\bcoalesce${CALLED}`, 'gi'),
    ),
  ];
  const changes = verb === 'UPDATE' || verb === 'DELETE FROM';
  const faults = {
    'what is there is changed to what changes by itself': isUnsteady(conflict),
    'CASE with an operand':
      (verb === 'UPDATE' || /\bVALUES\b/.test(text) || conflict !== '') && SIMPLE_CASE.test(changed),
    'a query within what is done on a conflict': conflict.includes('(QUERY)'),
    'something that changes by itself is given back': isUnsteady(returned),
    'a change calls what differs from row to row': changes && VOLATILE.test(changed),
    'a change makes something of a column that depends on a setting':
      changes && (SHIFTED_NAME.test(changed) || CAST.test(changed) || callsSetting(changed)),
    'the time within CASE or coalesce': changes && chosen.some(([part]) => NOW.test(part)),
    'a row is given to another Mandant': /\bSET\s+(?:[^()]|\([^()]*\))*?(?<!\.)\bmandant_id\s*=[^=]/.test(
      changed.split(/\bWHERE\b/)[0] ?? '',
    ),
    MERGE: verb === 'MERGE INTO',
  };
  return Object.entries(faults).flatMap(([fault, is]) => (is ? [fault] : []));
}

/** Columns that are made up for each row where they are not given. */
const MADE_UP: Record<string, string> = {
  agenten: 'agent_id',
  projekte: 'projekt_id',
  endkunden: 'endkunde_id',
  regeln: 'regel_id',
};

/** A request may insert what a query finds only where the rows are: of a volume table's own Mandant, nothing made up for each. */
function isCopied(text: string): boolean {
  const [, table = '', columns = '', query] =
    /\bINSERT INTO (\w+)([^;]*?)\bSELECT\b([\s\S]*)$/.exec(text) ?? [];
  if (query === undefined || /\bON CONFLICT\b/.test(query)) return false;
  if (!columns.includes(MADE_UP[table] ?? '')) return true;
  const isOwn =
    /^\s*(?:\w+\.)?mandant_id\b/.test(query) && sourcesOf(query).some(({ table }) => VOLUME.has(table));
  return !isOwn || VOLATILE.test(query);
}

/** Faults of a query and of all within it. */
function faultsIn(level: Level, asRequest: boolean): string[] {
  const { text, within } = level;
  const [, verb = '', table = ''] = CHANGE.exec(text) ?? [];
  const ofVolume = VOLUME.has(table) || table === HOLE;
  const locks = /\bFOR (?:NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b/.test(text);
  return [
    ...(ofVolume ? faultsOfChange(verb, text) : []),
    ...(ofVolume && asRequest && isCopied(text)
      ? ['a request inserts rows that the coordinator would copy']
      : []),
    ...(locks && sourcesOf(text).some(({ table: source }) => VOLUME.has(source)) && !NAMES_MANDANT.test(text)
      ? ['rows are locked without naming a Mandant']
      : []),
    ...faultsOfWithin(level),
    ...within.flatMap((query) => faultsIn(query, asRequest)),
  ];
}

/** Why a cluster refuses a statement, or a part of one; `asRequest`: under row-level security, not as the owner. */
export function faultsOfStatement(text: string, asRequest: boolean): string[] {
  return faultsIn(levelOf(text), asRequest);
}

/** Whether a text has a volume table read or changed. */
export const touchesVolume = (text: string): boolean =>
  sourcesOf(text).some(({ table }) => VOLUME.has(table));
