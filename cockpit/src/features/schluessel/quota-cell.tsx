import { useTranslation } from 'react-i18next';
import type { Schluessel } from '../../api/types.ts';
import { linkClass } from '../../ui/button.tsx';
import { useQuotaText } from '../kontingente/index.ts';

interface QuotaCellProps {
  target: Schluessel;
  /** Nothing for users who may only look. */
  onChange: ((key: Schluessel) => void) | undefined;
}

/** What the key may send in a minute; users who may change it do so here. */
export function QuotaCell({ target, onChange }: QuotaCellProps) {
  const { t } = useTranslation();
  const quota = useQuotaText()(target, 'unlimited');
  // A blocked key sends nothing any more.
  if (!onChange || target.status !== 'aktiv') return quota;
  return (
    <button
      type="button"
      className={`${linkClass} rounded-sm text-left`}
      aria-label={t('kontingente.changeOf', { name: target.name, quota })}
      onClick={() => onChange(target)}
    >
      {quota}
    </button>
  );
}
