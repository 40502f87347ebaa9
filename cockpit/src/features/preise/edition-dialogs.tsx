import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { preisfassungQuery } from '../../api/queries.ts';
import type { Preisbuch } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type Content, contentOf, EMPTY } from './book.ts';
import { BookDiff, useEntryParts } from './book-diff.tsx';
import { diffBooks, isNothing, LISTS } from './diff.ts';
import { useBookFaults, useChangeBook } from './use-book.ts';

/** All that an edition says. */
function BookContent({ of }: { of: Content }) {
  const { t } = useTranslation();
  const partsOf = useEntryParts();
  const entries = LISTS.flatMap((list) =>
    of[list].map((entry) => ({ list, entry, ...partsOf(list, entry) })),
  );
  if (entries.length === 0 && !of.gemeldete_kosten)
    return <p className="text-sm text-ink-2">{t('preise.editions.emptyContent')}</p>;
  return (
    <ul className="flex flex-col">
      {of.gemeldete_kosten && <li className="border-b py-2 text-sm">{t('preise.diff.reported.on')}</li>}
      {entries.map(({ list, entry, name, parts }) => (
        <li key={JSON.stringify([list, entry])} className="border-b py-2 text-sm last:border-b-0">
          <span className="text-xs text-ink-3">{t(`preise.diff.kind.${list}`)}</span>{' '}
          <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
          <span className="flex flex-wrap gap-x-3 text-xs text-ink-2 [overflow-wrap:anywhere]">
            {parts.map((part) => (
              <span key={part}>{part}</span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** An edition, and what was different from the one before. */
export function EditionDialog({ fassung, onClose }: { fassung: number; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery(preisfassungQuery(fassung));
  const before = useQuery({ ...preisfassungQuery(fassung - 1), enabled: fassung > 1 });
  const earlier = fassung === 1 ? EMPTY : before.data;
  const { erstellt_am, erstellt_von } = query.data ?? { erstellt_am: null, erstellt_von: null };
  const made = [erstellt_am && format.instant(erstellt_am, 'dateTime'), erstellt_von]
    .filter(Boolean)
    .join(' · ');
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('preise.editions.number', { fassung })}
      description={made}
      actions={<Button onClick={onClose}>{t('ui.close')}</Button>}
    >
      <Loaded query={query}>
        {(edition) => (
          <>
            <section>
              <h3 className="text-sm font-medium">{t('preise.editions.changes')}</h3>
              <Loaded query={{ ...before, data: earlier }} lines={2}>
                {(content) => <BookDiff of={diffBooks(content, edition)} />}
              </Loaded>
            </section>
            <section>
              <h3 className="text-sm font-medium">{t('preise.editions.content')}</h3>
              <BookContent of={edition} />
            </section>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

interface RestoreProps {
  fassung: number;
  book: Preisbuch;
  onClose: () => void;
}

/** Makes what an edition said the newest one, once one has seen what that changes. */
export function RestoreDialog({ fassung, book, onClose }: RestoreProps) {
  const { t } = useTranslation();
  const query = useQuery(preisfassungQuery(fassung));
  const save = useChangeBook(onClose);
  const { whole } = useBookFaults(save.error, []);
  const difference = query.data && diffBooks(book, query.data);
  if (difference && isNothing(difference))
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('preise.editions.restoreOf', { fassung })}
        description={t('preise.editions.none')}
        actions={<Button onClick={onClose}>{t('ui.close')}</Button>}
      />
    );
  return (
    <ConfirmDialog
      title={t('preise.editions.restoreOf', { fassung })}
      description={t('preise.editions.restoreText', { fassung })}
      confirm={t('preise.editions.restore')}
      kind="primary"
      busy={save.isPending || !query.data}
      onConfirm={() => query.data && save.mutate(() => contentOf(query.data))}
      onClose={onClose}
    >
      <Loaded query={{ ...query, data: difference }} lines={2}>
        {(shown) => <BookDiff of={shown} />}
      </Loaded>
      {whole && (
        <Notice tone="harm" live>
          {whole}
        </Notice>
      )}
    </ConfirmDialog>
  );
}
