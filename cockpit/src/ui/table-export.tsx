/** A table as a file. */
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { WholeList } from '../api/make-query.ts';
import { useErrorText } from '../api/use-error-text.ts';
import { type CsvCell, toCsv } from '../format/csv.ts';
import { type Format, useFormat } from '../format/use-format.ts';
import { Button } from './button.tsx';
import { DownloadIcon } from './icons.tsx';
import { saveText } from './save-file.ts';
import type { DataColumn } from './table-column.ts';
import { toast } from './toast.tsx';

/** Reads all rows of a list of which the screen has some. */
export type ReadWhole<Row> = () => Promise<WholeList<Row>>;

function toCell<Row>(column: DataColumn<Row>, row: Row, format: Format): CsvCell {
  const value = column.value(row);
  if (value === null) return null;
  if (column.kind === 'money' || column.kind === 'decimal') return { decimal: String(value) };
  // Local time in a form spreadsheets take for one.
  if (column.kind === 'instant')
    return { text: format.instant(String(value), 'dateTimeSeconds').replace(',', '') };
  return typeof value === 'number' ? { count: value } : { text: value };
}

function headOf<Row>({ header, kind, style, unit }: DataColumn<Row>): string {
  const measured = kind === 'money' ? (style?.currency ?? 'EUR') : unit;
  return measured === undefined ? header : `${header} (${measured})`;
}

interface ExportButtonProps<Row> {
  name: string;
  columns: DataColumn<Row>[];
  /** In the order shown. */
  rows: Row[];
  whole: ReadWhole<Row> | undefined;
  /** Puts rows that were read in the order shown. */
  inOrder: (rows: Row[]) => Row[];
}

/** Saves all rows of the list in the order shown, with every column, also those a narrow screen leaves out. */
export function ExportButton<Row>({ name, columns, rows, whole, inOrder }: ExportButtonProps<Row>) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sentence } = useErrorText();
  const save = (found: Row[], isWhole: boolean) => {
    const lines = found.map((row) => columns.map((column) => toCell(column, row, format)));
    // The name says it where the file is opened, too.
    const file = isWhole ? name : `${name}-1-${found.length}`;
    saveText(`${file}.csv`, 'text/csv', toCsv(columns.map(headOf), lines, format.language));
    if (!isWhole) toast(t('ui.csvCut', { count: found.length }), 'harm');
  };
  const reading = useMutation({
    mutationFn: (read: ReadWhole<Row>) => read(),
    onSuccess: (list) => save(inOrder(list.rows), list.isWhole),
    onError: (error) => toast(sentence(error), 'harm'),
  });
  return (
    <Button
      busy={reading.isPending}
      onClick={() => (whole ? reading.mutate(whole) : save(rows, true))}
      title={t(whole ? 'ui.csvWhole' : 'ui.csvHint')}
    >
      <DownloadIcon />
      CSV
    </Button>
  );
}
