import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { clauseToSentence } from '../../api/clause.ts';
import { ApiError, type Fault } from '../../api/error.ts';
import { preisbuchQuery } from '../../api/queries.ts';
import type { Preisbuch } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { BookDiff } from './book-diff.tsx';
import { type Difference, diffBooks, isNothing } from './diff.ts';
import { isOutdated, useAfterChange } from './use-book.ts';

/** Spreadsheets on Windows still write files that are not UTF-8. */
async function textOf(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

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

/** Where a fault is: `["body", "csv", 3, "eingabe"]`. */
function FaultLine({ fault }: { fault: Fault }) {
  const { t } = useTranslation();
  const place = fault.loc.slice(fault.loc.indexOf('csv') + 1);
  const [line, column] = [place.find(Number.isInteger), place.findLast((part) => typeof part === 'string')];
  const reason = typeof fault.ctx?.error === 'string' ? clauseToSentence(fault.ctx.error) : null;
  const text = reason ?? (fault.type === 'string_too_long' ? t('preise.csv.tooLarge') : t('fault.other'));
  const where =
    line === undefined
      ? ''
      : column === undefined
        ? t('preise.csv.line', { line })
        : t('preise.csv.cell', { line, column });
  return (
    <li className="border-b py-1.5 text-sm last:border-b-0">
      {where && <span className="font-medium">{where}: </span>}
      <span className="[overflow-wrap:anywhere]">{text}</span>
    </li>
  );
}

/** Why a file is not taken. */
function Refusal({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const faults = error instanceof ApiError ? error.faults : [];
  return (
    <>
      <Notice tone="harm" live>
        {faults.length > 0 ? t('preise.csv.faults', { count: faults.length }) : sentence(error)}
      </Notice>
      <ul className="flex flex-col">
        {faults.map((fault) => (
          <FaultLine key={JSON.stringify([fault.loc, fault.ctx])} fault={fault} />
        ))}
      </ul>
    </>
  );
}

function FileField({ onChoose }: { onChoose: (file: File) => void }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {t('preise.csv.file')}
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onChoose(file);
          // The same file can be chosen again once it is mended.
          event.target.value = '';
        }}
        className="w-full min-w-0 rounded border border-edge bg-surface p-1 text-sm text-ink file:mr-2 file:rounded-sm file:border-0 file:bg-sunken file:px-2 file:py-1 file:text-ink"
      />
    </div>
  );
}

/** Own prices out of a CSV: checked first, taken once one has seen what changes. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const check = useCheck();
  const take = useImport(check, onClose);
  const choose = async (file: File) => {
    take.reset();
    check.mutate(await textOf(file));
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
            {t('preise.csv.take')}
          </Button>
        </>
      }
    >
      <FileField onChoose={choose} />
      {check.isPending && <p className="text-sm text-ink-2">{t('preise.csv.checking')}</p>}
      {isOutdated(take.error) && (
        <Notice tone="warn" live>
          {t('preise.csv.outdated')}
        </Notice>
      )}
      {take.error && !isOutdated(take.error) && <Refusal error={take.error} />}
      {check.error && <Refusal error={check.error} />}
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
