import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { befundeQuery } from '../../api/queries.ts';
import type { Befund } from '../../api/types.ts';
import { Panel } from '../../ui/panel.tsx';
import { FindingRow } from './finding-row.tsx';

type Of = { agent_id: string } | { lauf_id: string };

const shown = 5;

interface FindingsPanelProps {
  of: Of;
  /** What stands below: it comes with the findings, so that they do not move it away under a pointer. */
  children: ReactNode | ((befunde: Befund[]) => ReactNode);
}

/** The latest findings about an agent or a run, on its page; nothing of them where there are none or they do not come. */
export function FindingsPanel({ of, children }: FindingsPanelProps): ReactNode {
  const { data, isPending, failureCount } = useInfiniteQuery(befundeQuery({ ...of, limit: shown }));
  if (isPending && failureCount === 0) return null;
  const befunde = data?.pages[0]?.befunde ?? [];
  return (
    <>
      {befunde.length > 0 && <Findings of={of} befunde={befunde} />}
      {typeof children === 'function' ? children(befunde) : children}
    </>
  );
}

function Findings({ of, befunde }: { of: Of; befunde: Befund[] }) {
  const { t } = useTranslation();
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
