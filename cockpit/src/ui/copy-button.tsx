import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './button.tsx';
import { CopyIcon } from './icons.tsx';
import { toast } from './toast.tsx';

interface CopyButtonProps {
  text: string;
  /** What is copied: `Schlüssel`, `Lauf-ID`. */
  what: string;
  /** Only the icon, for tight places. */
  compact?: boolean;
}

/** Copies a text to the clipboard and says so. */
export function CopyButton({ text, what, compact = false }: CopyButtonProps) {
  const { t } = useTranslation();
  const copy = () => {
    // Without HTTPS the browser offers no clipboard; then the text has to be selected by hand.
    const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    done.then(
      () => toast(t('ui.copied', { what })),
      () => toast(t('ui.copyFailed'), 'harm'),
    );
  };
  const label = t('ui.copyWhat', { what });
  if (compact) return <IconButton label={label} icon={<CopyIcon />} onClick={copy} />;
  return (
    <Button onClick={copy} aria-label={label}>
      <CopyIcon />
      {t('ui.copy')}
    </Button>
  );
}
