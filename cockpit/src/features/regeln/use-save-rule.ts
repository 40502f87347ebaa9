import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { clauseToSentence } from '../../api/clause.ts';
import { ApiError } from '../../api/error.ts';
import type { InputOf } from '../../api/operations.ts';
import { regelnQuery } from '../../api/queries.ts';
import type { Regel } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';

type Body = InputOf<'regelAnlegen'>['body'];

/** Creates a rule, or changes the one that is named. */
export function useSaveRule(regel_id: string | null, onSaved: (rule: Regel) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) =>
      regel_id === null
        ? call('regelAnlegen', { body })
        : call('regelAendern', { params: { regel_id }, body }),
    onSuccess: async (rule) => {
      await client.invalidateQueries({ queryKey: regelnQuery.queryKey });
      onSaved(rule);
    },
  });
}

/** What the service found wrong with a field of the form. */
export function useRuleFault(error: unknown): (field: string) => string | undefined {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  return (field) => {
    const said = fieldError(error, field);
    if (said === undefined || !(error instanceof ApiError)) return said;
    if (field === 'zeitfenster') return t('regeln.windowFault');
    const fault = error.faults.find(({ loc, type }) => type === 'value_error' && loc.includes(field));
    const reason = fault?.ctx?.error;
    if (typeof reason !== 'string') return said;
    return clauseToSentence(reason);
  };
}
