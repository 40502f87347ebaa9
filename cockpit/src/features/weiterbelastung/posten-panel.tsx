import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Abrechnungsposten, Abrechnungsrest } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';

/** Rows that are drawn at once: a statement may have thousands. */
const STEP = 20;

interface PostenPanelProps {
  title: string;
  /** Name of the first column. */
  kind: string;
  parts: Abrechnungsposten[];
  /** Those that have no row. */
  rest: Abrechnungsrest | null;
}

/** The parts of what is charged, the most expensive first. */
export function PostenPanel({ title, kind, parts, rest }: PostenPanelProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { text, count, money } = useColumns();
  const [shown, setShown] = useState(STEP);
  const columns = useMemo((): DataColumn<Abrechnungsposten>[] => {
    const nameOf = ({ name }: Abrechnungsposten) => name || t('weiterbelastung.paper.unnamed');
    return [
      text('name', kind, nameOf, { grow: true }),
      count('aufrufe', t('weiterbelastung.paper.calls'), (part) => part.aufrufe),
      {
        id: 'token',
        header: t('weiterbelastung.paper.tokens'),
        kind: 'decimal',
        value: (part) => part.token,
        cell: (part) => format.decimal(part.token),
        from: 'md',
      },
      money('betrag_eur', t('weiterbelastung.charge'), (part) => part.betrag_eur),
    ];
  }, [t, format, text, count, money, kind]);
  const rows = useMemo(() => parts.slice(0, shown), [parts, shown]);
  return (
    <Panel title={title} flush>
      <DataTable caption={title} columns={columns} rows={rows} rowKey={({ schluessel }) => schluessel} />
      {parts.length > shown && (
        <div className="flex items-center justify-between gap-3 border-t px-4 py-3">
          <p role="status" className="text-xs text-ink-3">
            {t('weiterbelastung.paper.shownSome', { shown, all: parts.length })}
          </p>
          <Button onClick={() => setShown(shown + 10 * STEP)}>{t('weiterbelastung.paper.showMore')}</Button>
        </div>
      )}
      {rest && parts.length <= shown && (
        <p className="border-t px-4 py-3 text-xs text-ink-2">
          {t('weiterbelastung.paper.others', {
            n: format.count(rest.gruppen),
            calls: format.count(rest.aufrufe),
            amount:
              rest.betrag_eur === null
                ? t('weiterbelastung.paper.othersUnknown')
                : format.money(rest.betrag_eur),
          })}
        </p>
      )}
    </Panel>
  );
}
