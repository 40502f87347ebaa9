import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { preisfassungenQuery } from '../../api/queries.ts';
import type { Preisbuch, Preisfassung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EditionDialog, RestoreDialog } from './edition-dialogs.tsx';
import { useMayPrice } from './use-book.ts';

/** What is open of which edition. */
type Open = { fassung: number; what: 'look' | 'restore' };

interface EditionItemProps {
  edition: Preisfassung;
  isCurrent: boolean;
  onOpen: (open: Open) => void;
}

function EditionItem({ edition, isCurrent, onOpen }: EditionItemProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const may = useMayPrice();
  const { fassung, erstellt_am, erstellt_von, preise, rabatte, freigaben } = edition;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-2.5 last:border-b-0">
      <div className="min-w-0 flex-[1_1_16rem]">
        <p className="flex min-h-6 flex-wrap items-center gap-x-2 text-sm">
          <span className="font-medium">{t('preise.editions.number', { fassung })}</span>
          {isCurrent && <Badge tone="good">{t('preise.editions.current')}</Badge>}
          <span className="text-ink-2">{format.instant(erstellt_am, 'dateTime')}</span>
        </p>
        <p className="flex flex-wrap gap-x-3 text-xs text-ink-3 [overflow-wrap:anywhere]">
          {erstellt_von && <span>{t('preise.editions.by', { name: erstellt_von })}</span>}
          <span>{t('preise.editions.prices', { count: preise })}</span>
          <span>{t('preise.editions.discounts', { count: rabatte })}</span>
          <span>{t('preise.editions.approved', { count: freigaben })}</span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          aria-label={t('preise.editions.lookAt', { fassung })}
          onClick={() => onOpen({ fassung, what: 'look' })}
        >
          {t('preise.editions.look')}
        </Button>
        {may && !isCurrent && (
          <Button
            aria-label={t('preise.editions.restoreOf', { fassung })}
            onClick={() => onOpen({ fassung, what: 'restore' })}
          >
            {t('preise.editions.restore')}
          </Button>
        )}
      </div>
    </li>
  );
}

/** The editions of the book, the latest first: who made it when, what it said, and the way back to it. */
export function EditionsTab({ book }: { book: Preisbuch }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open | null>(null);
  const { data, error, refetch, ...pages } = useInfiniteQuery(preisfassungenQuery);
  const close = () => setOpen(null);
  return (
    <Panel title={t('preise.editions.title')} flush>
      <p className="max-w-prose px-4 pb-3 text-sm text-ink-2">{t('preise.editions.text')}</p>
      <Loaded query={{ data: data?.pages.flatMap(({ fassungen }) => fassungen), error, refetch }}>
        {(editions) =>
          editions.length === 0 ? (
            <div className="px-4 pb-4">
              <EmptyState title={t('preise.editions.empty')}>{t('preise.editions.emptyText')}</EmptyState>
            </div>
          ) : (
            <>
              <ol aria-label={t('preise.editions.title')} className="border-t">
                {editions.map((edition) => (
                  <EditionItem
                    key={edition.fassung}
                    edition={edition}
                    isCurrent={edition.fassung === book.fassung}
                    onOpen={setOpen}
                  />
                ))}
              </ol>
              {pages.hasNextPage && (
                <MoreRows pages={pages} count={editions.length} label={t('preise.editions.more')} />
              )}
            </>
          )
        }
      </Loaded>
      {open?.what === 'look' && <EditionDialog fassung={open.fassung} onClose={close} />}
      {open?.what === 'restore' && <RestoreDialog fassung={open.fassung} book={book} onClose={close} />}
    </Panel>
  );
}
