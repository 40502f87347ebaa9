import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { ichQuery } from '../../api/queries.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import type { Language } from '../../format/number.ts';
import { changeLanguage } from '../../i18n/index.ts';
import { preferences, setPreferences } from '../../preferences.ts';
import { toast } from '../../ui/toast.tsx';

/** Changes the own profile; every page shows the new one. */
export function useSetProfile(onSaved?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InputOf<'profilAendern'>['body']) => call('profilAendern', { body }),
    onSuccess: async (ich, { sprache }) => {
      client.setQueryData(ichQuery.queryKey, ich);
      if (sprache !== undefined) setPreferences({ language: sprache });
      // What is said next is said in the language just chosen.
      await changeLanguage(preferences().language);
      onSaved?.();
    },
  });
}

/** Speaks another language at once, and keeps the choice with the signed-in user. */
export function useChooseLanguage(): (language: Language) => void {
  const { mutate } = useSetProfile();
  const { sentence } = useErrorText();
  return (language) => {
    setPreferences({ language });
    mutate({ sprache: language }, { onError: (error) => toast(sentence(error), 'harm') });
  };
}
