import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Neubepreisung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { toDays } from './days.ts';
import { Difference } from './difference.tsx';
import { hasResult } from './state.ts';
import { StatusBadge } from './status-badge.tsx';

/** Who did what was done last, and when. */
const lastStep = ({ angelegt_am, angelegt_von, angewendet_am, angewendet_von }: Neubepreisung) =>
  angewendet_am === null
    ? { when: angelegt_am, who: angelegt_von }
    : { when: angewendet_am, who: angewendet_von };

function DaysCell({ of }: { of: Neubepreisung }) {
  const format = useFormat();
  const { first, last } = toDays(of);
  const { when, who } = lastStep(of);
  return (
    <div className="py-1">
      <Link
        to="/preise/neubepreisung/$neubepreisung_id"
        params={{ neubepreisung_id: of.neubepreisung_id }}
        className="block truncate font-medium after:absolute after:inset-0"
      >
        {format.days(first, last)}
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

function useRepricingColumns(): DataColumn<Neubepreisung>[] {
  const { t } = useTranslation();
  const { text, instant, count, money } = useColumns();
  return useMemo(
    () => [
      text('tage', t('neubepreisung.days'), ({ von }: Neubepreisung) => von, {
        cell: (of) => <DaysCell of={of} />,
        grow: true,
      }),
      instant('wann', t('neubepreisung.when'), (of: Neubepreisung) => lastStep(of).when, { from: 'lg' }),
      text('wer', t('neubepreisung.who'), (of: Neubepreisung) => lastStep(of).who, { from: 'lg' }),
      text('status', t('laeufe.status'), ({ status }: Neubepreisung) => status, {
        cell: (of) => <StatusBadge of={of} />,
      }),
      count('geaendert', t('neubepreisung.calls'), ({ geaendert }: Neubepreisung) => geaendert, {
        from: 'md',
      }),
      money(
        'differenz_eur',
        t('neubepreisung.difference'),
        (of: Neubepreisung) => (hasResult(of) ? of.differenz_eur : null),
        {
          style: { signed: true },
          cell: (of, column) => hasResult(of) && <Difference value={of.differenz_eur} column={column} />,
        },
      ),
    ],
    [t, text, instant, count, money],
  );
}

/** What was priced anew, and what is to be; a row leads to what changes. */
export function RepricingsTable({ rows }: { rows: Neubepreisung[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      caption={t('neubepreisung.title')}
      columns={useRepricingColumns()}
      rows={rows}
      rowKey={({ neubepreisung_id }) => neubepreisung_id}
    />
  );
}
