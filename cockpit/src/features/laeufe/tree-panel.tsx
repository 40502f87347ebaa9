import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerOf } from '../../api/operations.ts';
import { useFormat } from '../../format/use-format.ts';
import { linkClass } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { outcomeOf } from './outcome.ts';
import { shortId } from './short-id.ts';
import { StatusBadge } from './status-badge.tsx';

type Tree = NonNullable<AnswerOf<'cockpitLauf'>['baum']>;

function RunLink({ lauf_id }: { lauf_id: string }) {
  return (
    <Link to="/laeufe/$lauf_id" params={{ lauf_id }} className={`${linkClass} font-mono text-xs`}>
      {shortId(lauf_id)}
    </Link>
  );
}

/** The runs that were begun from the run itself; of more than are listed only how many there are. */
function BegunRuns({ tree: { begonnen } }: { tree: Tree }) {
  const format = useFormat();
  return (
    <ul className="divide-y divide-line text-sm">
      {begonnen.map(({ lauf_id, agent, status, kosten_eur }) => (
        <li key={lauf_id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
          <RunLink lauf_id={lauf_id} />
          <span className="min-w-0 truncate" title={agent}>
            {agent}
          </span>
          {outcomeOf(status) !== 'succeeded' && <StatusBadge status={status} />}
          <span className="ml-auto font-medium" title={format.moneyExact(kosten_eur)}>
            {format.money(kosten_eur)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Where the run stands among others: what it was begun from, what was begun from it, and what all of that costs. */
export function TreePanel({ tree }: { tree: Tree | null }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (tree === null) return null;
  const { eltern_lauf, laeufe, kosten_eur, unbepreist, begonnen } = tree;
  return (
    <Panel title={t('laeufe.tree.title')}>
      {eltern_lauf !== null && (
        <p className="text-sm">
          {t('laeufe.tree.begunFrom')} <RunLink lauf_id={eltern_lauf} />
        </p>
      )}
      {laeufe > 0 && (
        <p className="text-sm" title={format.moneyExact(kosten_eur)}>
          {t('laeufe.tree.total', { count: laeufe, amount: format.money(kosten_eur) })}
          {unbepreist > 0 && ` ${t('laeufe.unpriced', { count: unbepreist })}`}
        </p>
      )}
      {begonnen.length > 0 && <BegunRuns tree={tree} />}
    </Panel>
  );
}
