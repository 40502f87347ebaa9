/** The files of an export. */
import { readZaehlstand } from '#domains/ereignisse/index.ts';
import {
  brandingToApi,
  kanaeleToApi,
  mandantToApi,
  readKanaele,
  readMandant,
} from '#domains/mandant/index.ts';
import { createLocalHours } from '#kernel/local-hours.ts';
import { csvOf } from '#platform/csv.ts';
import type { Snapshot } from '#platform/database/index.ts';
import type { SecretBox } from '#platform/secret-box.ts';
import type { ArchiveFile } from './archive.ts';
import { kindOf } from './columns.ts';
import { arrayOf, objectOf } from './json.ts';
import { EXCERPTS, type Excerpt, LISTS } from './lists.ts';
import { type About, readme } from './readme.ts';
import { type Row, readAsJson, readBuchung, readSince, readSsoAnbieter, readUncounted } from './store.ts';
import { uncountedPieces } from './uncounted.ts';

/** The Mandant with its settings: addresses of channels by their host only, no secrets. */
async function settingsOf({ tx }: Snapshot, secrets: SecretBox): Promise<object> {
  const row = await readMandant(tx);
  return {
    ...mandantToApi(row),
    paket_quelle: row.paket_quelle,
    abrechnungsstatus: row.abrechnungsstatus,
    branding: brandingToApi(row),
    alarme: kanaeleToApi(await readKanaele(tx, secrets)),
    sso: await readSsoAnbieter(tx),
    buchung: await readBuchung(tx),
    zaehlstand: await readZaehlstand(tx),
  };
}

/** Adds the local day, as counting understands it. */
async function* withDay(pages: AsyncIterable<Row[]>, { since }: Excerpt, zone: string) {
  const localHour = createLocalHours(zone);
  for await (const page of pages)
    yield page.map((row) =>
      since === 'tag' ? row : { ...row, tag: localHour(Date.parse(String(row[since]))).tag },
    );
}

function csvFile(snapshot: Snapshot, excerpt: Excerpt, { days, zone }: About): ArchiveFile {
  const names = ['tag', ...excerpt.columns.filter((name) => name !== 'tag')] as const;
  const columns = names.map((name) => ({
    head: name,
    kind: kindOf(name),
    cell: (row: Row) => row[name] ?? null,
  }));
  const first = excerpt.since === 'tag' ? days.first : days.begins;
  return {
    name: `csv/${excerpt.name}.csv`,
    content: () => csvOf(columns, withDay(readSince(snapshot, excerpt, first), excerpt, zone)),
  };
}

/** All files, the small ones first; each reads the snapshot when its turn comes. */
export function filesOf(snapshot: Snapshot, secrets: SecretBox, about: About): ArchiveFile[] {
  return [
    {
      name: 'LIESMICH.txt',
      async *content() {
        yield readme(about);
      },
    },
    { name: 'json/mandant.json', content: () => objectOf(() => settingsOf(snapshot, secrets)) },
    ...LISTS.map((list) => ({
      name: `json/${list.name}.json`,
      content: () => arrayOf(readAsJson(snapshot, list)),
    })),
    {
      name: 'json/ungezaehlt.json',
      content: () => arrayOf(uncountedPieces(readUncounted(snapshot))),
    },
    ...EXCERPTS.map((excerpt) => csvFile(snapshot, excerpt, about)),
  ];
}
