import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zwilling } from '../../api/types.ts';
import { Money } from '../../ui/money.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';

type Row = Zwilling['agenten'][number];

function AgentCell({ agent: { agent_id, name, schluessel } }: { agent: Row }) {
  const { t } = useTranslation();
  const shown = name || schluessel || t('zwilling.unnamed');
  if (agent_id === null) return <span className="block truncate">{shown}</span>;
  return (
    <Link
      to="/agenten/$agent_id"
      params={{ agent_id }}
      title={shown === schluessel ? shown : `${shown} (${schluessel})`}
      className="block truncate font-medium after:absolute after:inset-0"
    >
      {shown}
    </Link>
  );
}

function useAgentColumns() {
  const { t } = useTranslation();
  const { text, money } = useColumns();
  return useMemo(
    () => [
      text<Row>('agent', t('zwilling.agent'), (row) => row.name || row.schluessel, {
        cell: (row) => <AgentCell agent={row} />,
        grow: true,
      }),
      money<Row>('real_eur', t('zwilling.real'), (row) => row.real_eur),
      money<Row>('zwilling_eur', t('zwilling.title'), (row) => row.zwilling_eur, { from: 'md' }),
      money<Row>('gespart_eur', t('zwilling.saved'), (row) => row.gespart_eur),
    ],
    [t, text, money],
  );
}

interface AgentsPanelProps {
  twin: Zwilling;
  sort: string;
  onSort: (sort: string) => void;
}

/** The difference by agent; those that are not listed as one. */
export function AgentsPanel({ twin, sort, onSort }: AgentsPanelProps) {
  const { t } = useTranslation();
  const columns = useAgentColumns();
  const { agenten, agenten_rest: rest } = twin;
  return (
    <Panel title={t('zwilling.byAgent')} flush>
      <DataTable
        caption={t('zwilling.byAgent')}
        columns={columns}
        rows={agenten}
        rowKey={(row) => row.schluessel}
        sort={sort}
        onSort={onSort}
        csvName={`zwilling-${twin.zeitraum}`}
      />
      {rest && (
        <p className="flex justify-between gap-2 border-t px-4 py-2 text-sm text-ink-2">
          <span>{t('zwilling.others', { count: rest.agenten })}</span>
          <Money value={rest.gespart_eur} />
        </p>
      )}
    </Panel>
  );
}
