import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { vorfaelleQuery } from '../../api/queries.ts';
import { Notice } from '../../ui/notice.tsx';
import { useFindingTexts } from './finding-texts.ts';

/** On the overview: how many incidents are open, and the latest; nothing where none is. */
export function OpenIncidents() {
  const { t } = useTranslation();
  const { titleOf } = useFindingTexts();
  const { data } = useInfiniteQuery(vorfaelleQuery('offen'));
  const [first] = data?.pages ?? [];
  const latest = first?.vorfaelle[0];
  if (!first || !latest) return null;
  const count = first.vorfaelle.length;
  const key = first.weiter === null ? 'befunde.incidents.openCount' : 'befunde.incidents.openMany';
  return (
    <Notice
      tone={latest.schatten ? 'neutral' : 'warn'}
      action={
        <Link to="/vorfaelle" className="shrink-0 font-medium underline">
          {t('befunde.incidents.look')}
        </Link>
      }
    >
      <span className="font-medium">{t(key, { count })}</span>
      {', '}
      {t('befunde.incidents.latest', { title: titleOf(latest), interpolation: { escapeValue: false } })}
    </Notice>
  );
}
