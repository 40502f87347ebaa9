import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { agentenQuery } from '../../api/queries.ts';
import type { Uebersicht } from '../../api/types.ts';
import type { BarRow } from '../../ui/bar-list.tsx';
import type { Measure } from './measures.ts';
import { RankPanel } from './rank-panel.tsx';

interface RanksProps {
  data: Uebersicht;
  measure: Measure;
}

function AgentRank({ data, measure }: RanksProps) {
  const { t } = useTranslation();
  // The overview names agents by their key; the page of an agent is found by its id.
  const agents = useQuery(agentenQuery(data.zeitraum)).data?.agenten ?? [];
  const byKey = new Map(agents.map((agent) => [agent.schluessel, agent]));
  const link = (row: BarRow, className: string, name: ReactNode) => {
    const agent_id = byKey.get(row.key)?.agent_id;
    if (agent_id === undefined) return <span className={className}>{name}</span>;
    const search = { zeitraum: data.zeitraum };
    return (
      <Link to="/agenten/$agent_id" params={{ agent_id }} search={search} className={className}>
        {name}
      </Link>
    );
  };
  return (
    <RankPanel
      title={t('verbrauch.topAgents')}
      unnamed={t('verbrauch.unnamed')}
      rows={data.agenten}
      rest={data.agenten_rest}
      nameOf={(key) => byKey.get(key)?.name}
      measure={measure}
      link={link}
    />
  );
}

function CustomerRank({ data, measure }: RanksProps) {
  const { t } = useTranslation();
  const link = (row: BarRow, className: string, name: ReactNode) =>
    row.key === '' ? (
      <span className={className}>{name}</span>
    ) : (
      <Link to="/laeufe" search={{ q: row.key, limit: 1000 }} className={className}>
        {name}
      </Link>
    );
  return (
    <RankPanel
      title={t('verbrauch.topCustomers')}
      unnamed={t('verbrauch.noCustomer')}
      rows={data.endkunden}
      rest={data.endkunden_rest}
      measure={measure}
      link={link}
    />
  );
}

/** Who the figures come from: agents, end customers, models. */
export function Ranks({ data, measure }: RanksProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      <AgentRank data={data} measure={measure} />
      <CustomerRank data={data} measure={measure} />
      <RankPanel
        title={t('verbrauch.topModels')}
        unnamed={t('verbrauch.noModel')}
        rows={data.modelle}
        rest={data.modelle_rest}
        measure={measure}
      />
    </div>
  );
}
