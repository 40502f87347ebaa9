import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { preisbuchQuery } from '../../api/queries.ts';
import type { Preisbuch } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { CsvField, CsvRefusal, readCsv } from '../../ui/csv-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { BookDiff } from './book-diff.tsx';
import { type Difference, diffBooks, isNothing } from './diff.ts';
import { isOutdated, useAfterChange } from './use-book.ts';

interface Checked {
  csv: string;
  /** The book the file was held against. */
  book: Preisbuch;
  difference: Difference;
}

/** Holds a file against the book as it is now. */
function useCheck() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (csv: string): Promise<Checked> => {
      const book = await client.fetchQuery({ ...preisbuchQuery, staleTime: 0 });
      const body = { fassung: book.fassung, csv, probe: true };
      return { csv, book, difference: diffBooks(book, await call('preiseEinlesen', { body })) };
    },
  });
}

function useImport(check: ReturnType<typeof useCheck>, onClose: () => void) {
  const after = useAfterChange(onClose);
  return useMutation({
    mutationFn: ({ csv, book }: Checked) =>
      call('preiseEinlesen', { body: { fassung: book.fassung, csv, probe: false } }),
    onSuccess: after.onSuccess,
    onError: async (error, { csv }) => {
      await after.onError(error);
      if (isOutdated(error)) await check.mutateAsync(csv).catch(() => undefined);
    },
  });
}

/** Own prices out of a CSV: checked first, taken once one has seen what changes. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const check = useCheck();
  const take = useImport(check, onClose);
  const choose = async (file: File) => {
    take.reset();
    check.mutate(await readCsv(file));
  };
  const { data: checked } = check;
  const ready = checked && !isNothing(checked.difference);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('preise.csv.title')}
      description={t('preise.csv.text')}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button
            kind="primary"
            busy={take.isPending}
            disabled={!ready}
            onClick={() => checked && take.mutate(checked)}
          >
            {t('csv.take')}
          </Button>
        </>
      }
    >
      <CsvField onChoose={choose} />
      {check.isPending && <p className="text-sm text-ink-2">{t('csv.checking')}</p>}
      {isOutdated(take.error) && (
        <Notice tone="warn" live>
          {t('preise.csv.outdated')}
        </Notice>
      )}
      {take.error && !isOutdated(take.error) && (
        <CsvRefusal error={take.error} tooLarge={t('preise.csv.tooLarge')} />
      )}
      {check.error && <CsvRefusal error={check.error} tooLarge={t('preise.csv.tooLarge')} />}
      {checked && (
        <section aria-label={t('preise.csv.changes')}>
          <h3 className="text-sm font-medium">{t('preise.csv.changes')}</h3>
          {ready ? (
            <BookDiff of={checked.difference} />
          ) : (
            <p className="text-sm text-ink-2">{t('preise.csv.nothing')}</p>
          )}
        </section>
      )}
    </Dialog>
  );
}
