import { useTranslation } from 'react-i18next';
import { toast } from './toast.tsx';

/** Copies a text to the clipboard and says so; `what` names it: `Schlüssel`, `Lauf-ID`. */
export function useCopy(): (text: string, what: string) => void {
  const { t } = useTranslation();
  return (text, what) => {
    // Without HTTPS the browser offers no clipboard; then the text has to be selected by hand.
    const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    done.then(
      () => toast(t('ui.copied', { what })),
      () => toast(t('ui.copyFailed'), 'harm'),
    );
  };
}
