import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { vorfaelleQuery } from '../../api/queries.ts';
import { Notice } from '../../ui/notice.tsx';

/** On the overview: how many incidents are open, and the latest; nothing where none is. */
export function OpenIncidents() {
  const { t, i18n } = useTranslation();
  const { data } = useInfiniteQuery(vorfaelleQuery('offen'));
  const [first] = data?.pages ?? [];
  const latest = first?.vorfaelle[0];
  if (!first || !latest) return null;
  const title = i18n.language === 'en' ? latest.titel_en : latest.titel;
  const count = first.vorfaelle.length;
  const key = first.weiter === null ? 'ansicht.incidents.openCount' : 'ansicht.incidents.openMany';
  return (
    <Notice
      tone={latest.schatten ? 'neutral' : 'warn'}
      action={
        <Link to="/vorfaelle" className="shrink-0 font-medium underline">
          {t('ansicht.incidents.look')}
        </Link>
      }
    >
      <span className="font-medium">{t(key, { count })}</span>
      {', '}
      {t('ansicht.incidents.latest', { title, interpolation: { escapeValue: false } })}
    </Notice>
  );
}
