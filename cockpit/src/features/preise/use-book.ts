/** Reading and changing the price book: every change replaces it as a whole, on top of the edition that was read. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { clauseToSentence } from '../../api/clause.ts';
import { ApiError, codeOf, type Fault } from '../../api/error.ts';
import { ichQuery, preisbuchQuery, preisfassungenQuery } from '../../api/queries.ts';
import type { Preisbuch } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { toast } from '../../ui/toast.tsx';
import { type Content, toInput } from './book.ts';

/** Whether the user may change prices. */
export const useMayPrice = (): boolean => useQuery(ichQuery).data?.rechte.includes('preise.aendern') ?? false;

export const isOutdated = (error: unknown): boolean => codeOf(error) === 'preisbuch_veraltet';

/** What follows a change of the book, and one that came too late. */
export function useAfterChange(onSaved: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return {
    onSuccess: (book: Preisbuch) => {
      client.setQueryData(preisbuchQuery.queryKey, (before) => before && { ...before, ...book });
      client.invalidateQueries({ queryKey: preisfassungenQuery.queryKey });
      toast(t('preise.saved', { fassung: book.fassung }));
      onSaved();
    },
    // The next try begins with the book as it is by then.
    onError: async (error: Error) => {
      if (isOutdated(error)) await client.invalidateQueries({ queryKey: preisbuchQuery.queryKey });
    },
  };
}

/** Replaces the book by what the change makes of the one that was read last. */
export function useChangeBook(onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: (content: Content) => Content) => {
      const book = await client.ensureQueryData(preisbuchQuery);
      return call('preiseSetzen', { body: toInput(book.fassung, change(book)) });
    },
    ...useAfterChange(onSaved),
  });
}

const reasonOf = ({ type, ctx }: Fault): string | null =>
  type === 'value_error' && typeof ctx?.error === 'string' ? clauseToSentence(ctx.error) : null;

/** The last word of its place: a field, a rate, or the list where a whole entry is wrong. */
const fieldOf = ({ loc }: Fault) => String(loc.findLast((part) => typeof part === 'string') ?? '');

/** What the service found wrong: beside a field of the form, and as a whole. */
export function useBookFaults(error: unknown, fields: readonly string[]) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const faults = error instanceof ApiError ? error.faults : [];
  const textOf = (fault: Fault) => reasonOf(fault) ?? fieldError(error, fieldOf(fault)) ?? '';
  const fault = (field: string): string | undefined => {
    const found = faults.find((each) => fieldOf(each) === field);
    return found && textOf(found);
  };
  const elsewhere = faults.filter((each) => !fields.includes(fieldOf(each))).map(textOf);
  const whole = !error
    ? undefined
    : isOutdated(error)
      ? t('preise.outdated')
      : elsewhere.length > 0
        ? [...new Set(elsewhere)].join(' ')
        : sentence(error);
  return { fault, whole };
}
