import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { befundeQuery } from '../../api/queries.ts';
import { Panel } from '../../ui/panel.tsx';
import { FindingRow } from './finding-row.tsx';

type Of = { agent_id: string } | { lauf_id: string };

const shown = 5;

/** The latest findings about an agent or a run, on its page; nothing where there are none. */
export function FindingsPanel({ of }: { of: Of }) {
  const { t } = useTranslation();
  const { data } = useInfiniteQuery(befundeQuery({ ...of, limit: shown }));
  const befunde = data?.pages[0]?.befunde ?? [];
  if (befunde.length === 0) return null;
  return (
    <Panel
      title={t('befunde.panel')}
      flush
      aside={
        'agent_id' in of && (
          <Link to="/befunde" search={{ ...of, status: 'alle' }} className="text-xs text-accent underline">
            {t('befunde.panelAll')}
          </Link>
        )
      }
    >
      <ol className="border-t">
        {befunde.map((befund) => (
          <FindingRow key={befund.befund_id} of={befund} />
        ))}
      </ol>
    </Panel>
  );
}
