import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';

/** An address that leads nowhere, for users who are signed in. */
export function NotFoundInside() {
  const { t } = useTranslation();
  return (
    <Page title={t('shell.notFound')}>
      <p className="text-ink-2">{t('shell.notFoundText')}</p>
      <Link to="/" className={`${buttonClass('primary')} self-start`}>
        {t('shell.toOverview')}
      </Link>
    </Page>
  );
}

/** An address that leads nowhere. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <>
      <title>{`${t('shell.notFound')} – Zählwerk`}</title>
      <main className="mx-auto flex max-w-md flex-col items-start gap-4 px-4 py-24">
        <h1 className="text-xl">{t('shell.notFound')}</h1>
        <p className="text-ink-2">{t('shell.notFoundText')}</p>
        <Link to="/" className={buttonClass('primary')}>
          {t('shell.toOverview')}
        </Link>
      </main>
    </>
  );
}
