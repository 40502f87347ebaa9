import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LoadError } from '../ui/load-error.tsx';

/** When not even the answer to who is signed in can be had: the reason, and one more try. */
export function ShellError({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  return (
    <main className="mx-auto flex max-w-xl flex-col gap-4 px-4 py-24">
      <title>{`${t('shell.broken')} – Zählwerk`}</title>
      <h1 className="text-xl">{t('shell.broken')}</h1>
      <LoadError error={error} onRetry={() => router.invalidate()} />
    </main>
  );
}
