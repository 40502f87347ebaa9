import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Import } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { lastStep } from './state.ts';
import { StatusBadge } from './status-badge.tsx';

function FileCell({ of }: { of: Import }) {
  const format = useFormat();
  const { when, who } = lastStep(of);
  return (
    <div className="py-1">
      <Link
        to="/anbindung/importe/$import_id"
        params={{ import_id: of.import_id }}
        className="block truncate font-medium after:absolute after:inset-0"
        title={of.datei}
      >
        {of.datei}
      </Link>
      <span className="block truncate text-xs text-ink-3 @3xl:hidden">
        {format.instant(when, 'dateTime')}
      </span>
      {who !== null && (
        <span className="block truncate text-xs text-ink-3 @3xl:hidden" title={who}>
          {who}
        </span>
      )}
    </div>
  );
}

function useImportColumns(): DataColumn<Import>[] {
  const { t } = useTranslation();
  const { text, instant, count } = useColumns();
  return useMemo(
    () => [
      text('datei', t('importe.file'), ({ datei }: Import) => datei, {
        cell: (of) => <FileCell of={of} />,
        grow: true,
      }),
      text('dienst', t('importe.service'), ({ dienst }: Import) => dienst, { from: 'md' }),
      instant('wann', t('neubepreisung.when'), (of: Import) => lastStep(of).when, { from: 'lg' }),
      text('wer', t('neubepreisung.who'), (of: Import) => lastStep(of).who, { from: 'lg' }),
      text('status', t('laeufe.status'), ({ status }: Import) => status, {
        cell: (of) => <StatusBadge of={of} />,
      }),
      count('aufrufe', t('importe.calls'), ({ aufrufe }: Import) => aufrufe, { from: 'md' }),
      count('angenommen', t('importe.accepted'), ({ angenommen }: Import) => angenommen),
    ],
    [t, text, instant, count],
  );
}

/** What was imported, and what is to be. */
export function ImportsTable({ rows }: { rows: Import[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      caption={t('importe.title')}
      columns={useImportColumns()}
      rows={rows}
      rowKey={({ import_id }) => import_id}
    />
  );
}
