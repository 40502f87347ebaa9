import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/error.ts';
import { useErrorText } from '../api/use-error-text.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** In place of data that could not be loaded: why, and one more try where that can help. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const final = error instanceof ApiError && (error.status === 404 || error.status === 422);
  return (
    <Notice tone="harm" live action={!final && <Button onClick={onRetry}>{t('ui.retry')}</Button>}>
      {sentence(error)}
    </Notice>
  );
}
