/** Why an export failed, in a sentence. */
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { BrokenOff, NotWritten } from './receive.ts';

export function useFailure(): (error: unknown) => string {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  return (error) => {
    if (error instanceof BrokenOff) return t('export.brokenOff');
    if (error instanceof NotWritten) return t('export.notWritten');
    // Nobody has tried too often: others are at it.
    if (error instanceof ApiError && error.code === 'export_laeuft') return t('export.busy');
    return sentence(error);
  };
}
