import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { vorfaelleQuery } from '../../api/queries.ts';
import { Notice } from '../../ui/notice.tsx';

/** On the overview: how many incidents are open, and the latest that is not in shadow mode only; nothing where none is. */
export function OpenIncidents() {
  const { t, i18n } = useTranslation();
  const { data } = useInfiniteQuery(vorfaelleQuery('offen'));
  const [first] = data?.pages ?? [];
  const real = first?.vorfaelle.find(({ schatten }) => !schatten);
  const named = real ?? first?.vorfaelle[0];
  if (!first || !named) return null;
  const title = i18n.language === 'en' ? named.titel_en : named.titel;
  const count = first.vorfaelle.length;
  const key = first.weiter === null ? 'ansicht.incidents.openCount' : 'ansicht.incidents.openMany';
  return (
    <Notice
      tone={real ? 'warn' : 'neutral'}
      action={
        <Link to="/vorfaelle" className="shrink-0 font-medium underline">
          {t('ansicht.incidents.look')}
        </Link>
      }
    >
      <span className="font-medium">{t(key, { count })}</span>
      {', '}
      {t(named === first.vorfaelle[0] ? 'ansicht.incidents.latest' : 'ansicht.incidents.among', {
        title,
        interpolation: { escapeValue: false },
      })}
    </Notice>
  );
}
