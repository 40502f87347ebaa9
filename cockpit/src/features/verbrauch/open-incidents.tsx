import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Vorfall } from '../../api/types.ts';
import { Notice } from '../../ui/notice.tsx';

interface OpenIncidentsProps {
  /** The first page of the open ones, the gravest first, those of shadow mode last. */
  vorfaelle: Vorfall[];
  /** Whether there are more. */
  more: boolean;
}

/** How many incidents are open, and the gravest. Those of shadow mode do not count: nothing was done about them. */
export function OpenIncidents({ vorfaelle, more }: OpenIncidentsProps) {
  const { t, i18n } = useTranslation();
  const [first] = vorfaelle;
  if (!first) return null;
  const real = vorfaelle.filter(({ schatten }) => !schatten).length;
  const many = more && (real === 0 || real === vorfaelle.length);
  const kind = real > 0 ? (many ? 'openMany' : 'openCount') : many ? 'shadowMany' : 'shadowCount';
  return (
    <Notice
      tone={real > 0 ? 'warn' : 'neutral'}
      action={
        <Link to="/vorfaelle" className="shrink-0 font-medium underline">
          {t('ansicht.incidents.look')}
        </Link>
      }
    >
      <span className="font-medium">
        {t(`ansicht.incidents.${kind}`, { count: real > 0 ? real : vorfaelle.length })}
      </span>
      {', '}
      {t(vorfaelle.length === 1 ? 'ansicht.incidents.only' : 'ansicht.incidents.gravest', {
        title: i18n.language === 'en' ? first.titel_en : first.titel,
        interpolation: { escapeValue: false },
      })}
    </Notice>
  );
}
