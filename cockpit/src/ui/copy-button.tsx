import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './button.tsx';
import { CopyIcon } from './icons.tsx';
import { useCopy } from './use-copy.ts';

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
  const copyText = useCopy();
  const copy = () => copyText(text, what);
  const label = t('ui.copyWhat', { what });
  if (compact) return <IconButton label={label} icon={<CopyIcon />} onClick={copy} />;
  return (
    <Button onClick={copy} aria-label={label}>
      <CopyIcon />
      {t('ui.copy')}
    </Button>
  );
}
