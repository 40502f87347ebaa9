import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { budgetsQuery } from '../../api/queries.ts';
import type { Budget } from '../../api/types.ts';
import { Button, linkClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame, Panel } from '../../ui/panel.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { useMayProtect } from '../eingriffe/index.ts';
import { RatesLine } from '../verbrauch/index.ts';
import { BudgetRow } from './budget-row.tsx';
import { KINDS, NewBudgetDialog } from './new-budget-dialog.tsx';

/** What may be spent this month, and how much of it is. */
export function BudgetsPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMayProtect();
  const [adding, setAdding] = useState(false);
  const listed = useInfiniteQuery(budgetsQuery);
  const { data, error, refetch, ...pages } = listed;
  const add = may && (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {t('budgets.set')}
    </Button>
  );
  return (
    <Page title={t('budgets.title')} actions={add}>
      <StaleNotice of={listed} />
      <Loaded query={{ data: data?.pages.flatMap((page) => page.budgets), error, refetch }} height="h-16">
        {(budgets) =>
          budgets.length === 0 ? (
            <EmptyState title={t('budgets.empty')} action={add}>
              {t('budgets.emptyText')}
            </EmptyState>
          ) : (
            <>
              {KINDS.map((kind) => (
                <Budgets
                  key={kind}
                  title={t(`budgets.list.${kind}`)}
                  budgets={budgets.filter(({ objekt_art }) => objekt_art === kind)}
                />
              ))}
              {pages.hasNextPage && (
                <Frame>
                  <MoreRows pages={pages} count={budgets.length} label={t('budgets.loadMore')} />
                </Frame>
              )}
              <RatesLine quellen={data?.pages[0]?.kursquellen ?? []} />
              <p>
                <Link to="/regeln" className={linkClass}>
                  {t('budgets.toRules')}
                </Link>
              </p>
            </>
          )
        }
      </Loaded>
      {adding && <NewBudgetDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function Budgets({ title, budgets }: { title: string; budgets: Budget[] }) {
  if (budgets.length === 0) return null;
  return (
    <Panel title={title} flush>
      <ol className="border-t">
        {budgets.map((budget) => (
          <BudgetRow key={`${budget.objekt_art} ${budget.objekt_id}`} of={budget} />
        ))}
      </ol>
    </Panel>
  );
}
