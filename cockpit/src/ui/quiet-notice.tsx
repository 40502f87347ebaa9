import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { isQuiet, onQuiet } from '../api/waiting.ts';
import { Notice } from './notice.tsx';

/** Says over every page that the service does not answer, as long as that is so; moves nothing of what is below. */
export function QuietNotice() {
  const { t } = useTranslation();
  const isShown = useSyncExternalStore(onQuiet, isQuiet);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-14 z-40 flex justify-center px-4 md:top-3"
    >
      {isShown && (
        <div className="max-w-xl rounded shadow-lg">
          <Notice tone="warn">{t('ui.quiet')}</Notice>
        </div>
      )}
    </div>
  );
}
