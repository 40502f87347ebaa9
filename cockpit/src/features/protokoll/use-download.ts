/** The audit log as a file. */
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { ProtokollFilter } from '../../api/queries.ts';
import type { Protokolleintrag } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { type CsvCell, toCsv } from '../../format/csv.ts';
import { useFormat } from '../../format/use-format.ts';
import { saveText } from '../../ui/save-file.ts';
import { toast } from '../../ui/toast.tsx';
import { useWords } from './use-words.ts';

/** As many as the service gives at once. */
const PAGE = 1000;

/** The entries of a filter after one of them, however many pages it takes; null begins with the newest. */
async function readAll(filter: ProtokollFilter, nach: string | null): Promise<Protokolleintrag[]> {
  const query = { ...filter, limit: PAGE, ...(nach === null ? {} : { nach }) };
  const { eintraege, weiter } = await call('pruefprotokoll', { query });
  return weiter === null ? eintraege : [...eintraege, ...(await readAll(filter, weiter))];
}

const jsonOf = (value: object | null) => (value === null ? null : { text: JSON.stringify(value) });
const cell = (text: string | null): CsvCell => (text === null ? null : { text });

/** Saves exactly what the filter leaves, not only the pages that are shown. */
export function useDownload() {
  const { t } = useTranslation();
  const format = useFormat();
  const { actionText, actorText } = useWords();
  const { sentence } = useErrorText();
  const columns: [string, (entry: Protokolleintrag) => CsvCell][] = [
    [
      t('protokoll.time'),
      (entry) => cell(format.instant(entry.zeitpunkt, 'dateTimeSeconds').replace(',', '')),
    ],
    [t('protokoll.timeUtc'), (entry) => cell(entry.zeitpunkt)],
    [t('protokoll.what'), (entry) => cell(actionText(entry.aktion))],
    [t('protokoll.actionName'), (entry) => cell(entry.aktion)],
    [t('protokoll.who'), (entry) => cell(actorText(entry.akteur))],
    [t('protokoll.object'), (entry) => cell(entry.objekt.name)],
    [t('protokoll.objectKind'), (entry) => cell(entry.objekt.art)],
    [t('protokoll.objectId'), (entry) => cell(entry.objekt.id)],
    [t('protokoll.before'), (entry) => jsonOf(entry.vorher)],
    [t('protokoll.after'), (entry) => jsonOf(entry.nachher)],
    [t('protokoll.address'), (entry) => cell(entry.adresse)],
    [t('protokoll.entry'), (entry) => cell(entry.eintrag_id)],
  ];
  return useMutation({
    mutationFn: (filter: ProtokollFilter) => readAll(filter, null),
    onSuccess: (entries) => {
      const lines = entries.map((entry) => columns.map(([, read]) => read(entry)));
      const header = columns.map(([name]) => name);
      const name = `pruefprotokoll-${format.dayOf(new Date())}.csv`;
      saveText(name, 'text/csv', toCsv(header, lines, format.language));
    },
    onError: (error) => toast(sentence(error), 'harm'),
  });
}
