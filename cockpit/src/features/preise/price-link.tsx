import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { linkClass } from '../../ui/button.tsx';

interface PriceLinkProps {
  /** The model whose price is missing, where it is one; the form opens with it. */
  modell?: string | null | undefined;
  anbieter?: string | null | undefined;
}

/** From calls without a price, or with a part of one, to the prices. */
export function PriceLink({ modell, anbieter }: PriceLinkProps) {
  const { t } = useTranslation();
  const search = modell ? { modell, anbieter: anbieter || undefined } : {};
  return (
    <Link to="/preise" search={search} className={linkClass}>
      {t('verbrauch.toPrices')}
    </Link>
  );
}
