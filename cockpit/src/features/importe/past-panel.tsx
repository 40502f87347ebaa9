import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';

/** The way to what was called before there was a connection. */
export function PastPanel() {
  const { t } = useTranslation();
  return (
    <Panel title={t('importe.past')}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-sm text-ink-2">{t('importe.pastText')}</p>
        <Link to="/anbindung/importe" className={buttonClass()}>
          {t('importe.title')}
        </Link>
      </div>
    </Panel>
  );
}
