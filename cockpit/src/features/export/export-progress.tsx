import { useTranslation } from 'react-i18next';
import { formatSize } from '../../format/number.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { estimateBytes } from './estimate.ts';
import type { Received } from './use-export.ts';

/** A number of bytes in the reader's language. */
export function useSize(): (bytes: number) => string {
  const { language } = useFormat();
  return (bytes) => formatSize(bytes, language);
}

/** So much as has come, and of about how much. An estimate that was passed was wrong and is not shown. */
function useProgress({ bytes, events }: Received): { part: number | null; text: string } {
  const { t } = useTranslation();
  const size = useSize();
  const expected = estimateBytes(events);
  if (bytes === 0) return { part: null, text: t('export.preparing') };
  if (bytes >= expected) return { part: null, text: t('export.soFar', { size: size(bytes) }) };
  const text = t('export.ofAbout', { size: size(bytes), expected: size(expected) });
  return { part: bytes / expected, text };
}

interface ExportProgressProps {
  received: Received;
  onCancel: () => void;
}

/** How far the export has come, and the way to end it. */
export function ExportProgress({ received, onCancel }: ExportProgressProps) {
  const { t } = useTranslation();
  const { part, text } = useProgress(received);
  return (
    <div className="flex max-w-lg flex-col gap-2">
      <Progress label={t('export.running')} part={part} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-ink-2">{text}</p>
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
      </div>
      <p role="status" className="sr-only">
        {t('export.running')}
      </p>
    </div>
  );
}
