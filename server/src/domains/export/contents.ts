/** The files of an export. */
import { FIGURES, READ_WITH, type Right } from '#contracts';
import { alarmSettingsIn } from '#domains/alarme/index.ts';
import { readZaehlstand } from '#domains/ereignisse/index.ts';
import {
  brandingToApi,
  kanaeleToApi,
  mandantToApi,
  readKanaele,
  readMandant,
} from '#domains/mandant/index.ts';
import { createLocalHours } from '#kernel/local-hours.ts';
import type { ArchiveFile } from '#platform/archive.ts';
import { csvOf } from '#platform/csv.ts';
import type { Snapshot } from '#platform/database/index.ts';
import type { SecretBox } from '#platform/secret-box.ts';
import { type ColumnName, kindOf } from './columns.ts';
import { arrayOf, objectOf, type Piece, piecesOf } from './json.ts';
import { EXCERPTS, type Excerpt, LISTS, type List, type TableExcerpt } from './lists.ts';
import { type About, readme } from './readme.ts';
import { type Row, readAsJson, readBuchung, readSince, readSsoAnbieter, readUncounted } from './store.ts';
import { readSums, type SumsSource } from './sums.ts';
import { uncountedPieces } from './uncounted.ts';

/** A file, with the right to read what is in it elsewhere; null for what belongs to the archive itself. */
interface GuardedFile extends ArchiveFile {
  right: Right | null;
}

/**
 * The Mandant with its settings: addresses of channels by their host only, no secrets. Null in the place of what the user may not
 * read.
 */
async function settingsOf({ tx }: Snapshot, secrets: SecretBox, { may, takenAt }: About): Promise<object> {
  const row = await readMandant(tx);
  const avv_akzeptiert_von = may(READ_WITH.benutzer) ? row.avv_akzeptiert_von : null;
  return {
    ...mandantToApi({ ...row, avv_akzeptiert_von }),
    paket_quelle: row.paket_quelle,
    abrechnungsstatus: row.abrechnungsstatus,
    branding: brandingToApi(row),
    alarme: may(READ_WITH.alarme) ? kanaeleToApi(await readKanaele(tx, secrets)) : null,
    alarm_einstellungen: may(READ_WITH.alarme)
      ? await alarmSettingsIn(tx, secrets, new Date(takenAt.epochMilliseconds))
      : null,
    sso: may(READ_WITH.sso) ? await readSsoAnbieter(tx) : null,
    buchung: await readBuchung(tx),
    zaehlstand: await readZaehlstand(tx),
  };
}

/** Adds the local day, as counting understands it. */
async function* withDay(pages: AsyncIterable<Row[]>, { since }: TableExcerpt, zone: string) {
  const localHour = createLocalHours(zone);
  for await (const page of pages)
    yield page.map((row) => ({ ...row, tag: localHour(Date.parse(String(row[since]))).tag }));
}

/** What the files are made of. */
interface Sources {
  snapshot: Snapshot;
  sums: SumsSource;
  secrets: SecretBox;
}

const isWhole = (name: ColumnName): boolean =>
  name === 'token' || (name in FIGURES && kindOf(name) === 'value');

const jsonOf = ({ snapshot, sums }: Sources, list: List, benutzerId: string): AsyncIterable<Piece[]> =>
  'by' in list
    ? piecesOf(list.columns, isWhole, readSums(sums, list.by))
    : readAsJson(snapshot, list, benutzerId);

function csvFile({ snapshot, sums }: Sources, excerpt: Excerpt, { days, zone }: About): GuardedFile {
  const names = ['tag', ...excerpt.columns.filter((name) => name !== 'tag')] as const;
  const columns = names.map((name) => ({
    head: name,
    kind: kindOf(name),
    cell: (row: Row) => row[name] ?? null,
  }));
  const rows = () =>
    'by' in excerpt
      ? readSums(sums, excerpt.by, days.first)
      : withDay(readSince(snapshot, excerpt, days.begins), excerpt, zone);
  return { name: `csv/${excerpt.name}.csv`, right: excerpt.right, content: () => csvOf(columns, rows()) };
}

/** All files there are, the small ones first; each reads the snapshot when its turn comes. */
function everyFile(sources: Sources, about: About): GuardedFile[] {
  const { snapshot, secrets } = sources;
  return [
    {
      name: 'LIESMICH.txt',
      right: null,
      async *content() {
        yield readme(about);
      },
    },
    {
      name: 'json/mandant.json',
      right: READ_WITH.konto,
      content: () => objectOf(() => settingsOf(snapshot, secrets, about)),
    },
    ...LISTS.map((list) => ({
      name: `json/${list.name}.json`,
      right: list.right,
      content: () => arrayOf(jsonOf(sources, list, about.benutzerId)),
    })),
    {
      name: 'json/ungezaehlt.json',
      right: READ_WITH.laeufe,
      content: () => arrayOf(uncountedPieces(readUncounted(snapshot))),
    },
    ...EXCERPTS.map((excerpt) => csvFile(sources, excerpt, about)),
  ];
}

/** The files that the user may read. */
export const filesOf = (sources: Sources, about: About): ArchiveFile[] =>
  everyFile(sources, about).filter(({ right }) => right === null || about.may(right));
