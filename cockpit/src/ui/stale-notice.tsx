import { useTranslation } from 'react-i18next';
import { useErrorText } from '../api/use-error-text.ts';
import { useFormat } from '../format/use-format.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** What is known of figures that are asked for again and again. */
export interface Freshness {
  data: unknown;
  dataUpdatedAt: number;
  fetchStatus: 'fetching' | 'paused' | 'idle';
  error: unknown;
  refetch: () => unknown;
}

/** Says since when figures are not updated any more, and why; nothing while they are. */
export function StaleNotice({ of }: { of: Freshness }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sentence } = useErrorText();
  if (of.data === undefined) return null;
  const time = format.instant(new Date(of.dataUpdatedAt), 'timeSeconds');
  if (of.fetchStatus === 'paused')
    return (
      <Notice tone="warn" live>
        {t('ansicht.offline', { time })}
      </Notice>
    );
  if (!of.error) return null;
  return (
    <Notice tone="warn" live action={<Button onClick={() => of.refetch()}>{t('ansicht.retry')}</Button>}>
      {t('ansicht.stale', { time, reason: sentence(of.error) })}
    </Notice>
  );
}
