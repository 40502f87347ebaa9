import { useTranslation } from 'react-i18next';
import type { Uebersicht, VerbrauchZeile } from '../../api/types.ts';
import { type CsvCell, toCsv } from '../../format/csv.ts';
import { useFormat } from '../../format/use-format.ts';
import { IconButton } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { saveText } from '../../ui/save-file.ts';
import { type Figures, figureOf, isMoney, measures } from './measures.ts';
import { TOKEN_PARTS } from './tokens.ts';

interface RankCsvProps {
  /** What the rows are values of; names the first column. */
  title: string;
  /** Of the file, without its ending. */
  csvName: string;
  /** In the order shown. */
  rows: VerbrauchZeile[];
  rest: Uebersicht['agenten_rest'];
  nameOf: (key: string) => string;
}

const partCells = (row: Figures): CsvCell[] =>
  TOKEN_PARTS.map(([part]) => (row[part] === null ? null : { count: row[part] }));

const toCells = (name: string, row: Figures): CsvCell[] => [
  { text: name },
  ...measures.flatMap((measure): CsvCell[] => {
    const value = figureOf(row, measure);
    const whole = value === null ? null : { decimal: value };
    return measure === 'token' ? [whole, ...partCells(row)] : [whole];
  }),
];

/** Saves a rank with every figure of its rows; all that are not among them are the last line. */
export function RankCsv({ title, csvName, rows, rest, nameOf }: RankCsvProps) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const save = () => {
    const names = measures.flatMap((measure) => {
      const name = measure === 'verbrannt' ? t('verbrauch.burnt') : t(`verbrauch.measure.${measure}`);
      if (measure === 'token') return [name, ...TOKEN_PARTS.map(([, part]) => t(part))];
      return isMoney(measure) ? `${name} (EUR)` : name;
    });
    const lines = rows.map((row) => toCells(nameOf(row.schluessel), row));
    const others = rest ? [toCells(t('verbrauch.others', { count: rest.gruppen }), rest)] : [];
    saveText(`${csvName}.csv`, 'text/csv', toCsv([title, ...names], [...lines, ...others], language));
  };
  return (
    <IconButton
      label={t('verbrauch.rankCsv', { title })}
      icon={<DownloadIcon />}
      onClick={save}
      className="-my-1"
    />
  );
}
