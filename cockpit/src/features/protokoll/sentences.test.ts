import { describe, expect, it } from 'vitest';
import { everyOperation, type Operation } from '#contracts';
import { protokoll } from '../../i18n/de/protokoll.ts';
import { protokoll as english } from '../../i18n/en/protokoll.ts';

const sources = import.meta.glob<string>('../../../../server/src/domains/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const recorded = Object.entries(sources)
  .filter(([path]) => !path.endsWith('.test.ts'))
  .flatMap(([, text]) => [...text.matchAll(/aktion: '([a-z_]+\.[a-z_]+)'/g)].map(([, name]) => name ?? ''));

/** Kinds of objects that entries are about. */
const kinds = [
  ...new Set(
    Object.entries(sources).flatMap(([path, text]) =>
      [...(path.endsWith('.test.ts') ? '' : text).matchAll(/objekt: \{ art: '([a-z_]+)'/g)].map(
        ([, kind]) => kind ?? '',
      ),
    ),
  ),
].sort();

const languages = [
  ['de', protokoll],
  ['en', english],
] as const;

/** They change nothing, or record under a name of their own. */
const UNRECORDED: Record<string, true> = {
  'preise.nachschlagen': true,
  'abgleich.nutzung_vergleichen': true,
  'detektoren.rueckblick_entwurf': true,
};
/** Secrets, files, ids that stand for the object, and how it is done: no entry has them. */
const NEVER = [
  'alt',
  'neu',
  'passwort',
  'code',
  'token',
  'csv',
  'probe',
  'erneut',
  'agent_id',
  'lauf_id',
  'bezug_id',
  'kanal',
  'standard_eingriffsstufe',
  // The entry has what changed, and the action says whether it was granted.
  'zeilen',
  'einstellungen',
  'gewaehrt',
];

/** What the log has of files and statements that left, beside what was asked for. */
const OF_FILES = [
  ...['format', 'status', 'referenz', 'sha256', 'versendung_id'],
  ...['abrechnungen', 'fehlend', 'ausgelassen'],
];

describe('the audit log', () => {
  it.each(languages)('%s: names every field of a file that left', (_language, texts) => {
    expect(OF_FILES.filter((field) => !Object.hasOwn(texts.field, field))).toEqual([]);
  });

  it.each(languages)(
    '%s: names every field that an operation which is recorded takes',
    (_language, texts) => {
      const taken = Object.values(everyOperation as Record<string, Operation>)
        .filter(
          ({ method, access, id }) => method !== 'GET' && access.kind === 'session' && !(id in UNRECORDED),
        )
        .flatMap(({ body }) => Object.keys((body as { properties?: object } | undefined)?.properties ?? {}));
      expect(taken.length).toBeGreaterThan(80);
      const named = [...Object.keys(texts.field), ...NEVER];
      expect([...new Set(taken)].filter((field) => !named.includes(field)).sort()).toEqual([]);
    },
  );

  it.each(languages)('%s: names every kind of object', (_language, texts) => {
    expect(kinds.length).toBeGreaterThan(12);
    expect(kinds.filter((kind) => !Object.hasOwn(texts.kind, kind))).toEqual([]);
  });

  it.each([...new Set(recorded)].sort())('has a sentence for %s', (aktion) => {
    expect(Object.keys(protokoll.action)).toContain(aktion);
  });
});
