import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { usePeriodName } from './period-picker.tsx';
import { lastWithData } from './zeitraum.ts';

/** There never was a call: the next step is to connect something. */
export function NeverAnyData() {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t('verbrauch.neverTitle')}
      action={
        <Link to="/anbindung" className={buttonClass('primary')}>
          {t('verbrauch.neverAction')}
        </Link>
      }
    >
      {t('verbrauch.neverText')}
    </EmptyState>
  );
}

interface NoneInPeriodProps {
  zeitraum: string;
  /** The last instant with a call, where it is known. */
  datenBis: string | null;
  onChange: (zeitraum: string) => void;
}

/** There are calls, but none in this period: offers the last period of this length that has some. */
export function NoneInPeriod({ zeitraum, datenBis, onChange }: NoneInPeriodProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = usePeriodName();
  const target = datenBis && lastWithData(zeitraum, format.dayOf(datenBis), format.dayOf(new Date()));
  return (
    <EmptyState
      title={t('verbrauch.noneTitle')}
      action={
        target && (
          <Button kind="primary" onClick={() => onChange(target)}>
            {t('verbrauch.noneAction', { zeitraum: nameOf(target) })}
          </Button>
        )
      }
    >
      {datenBis && t('verbrauch.noneText', { time: format.instant(datenBis, 'dateTime') })}
    </EmptyState>
  );
}
