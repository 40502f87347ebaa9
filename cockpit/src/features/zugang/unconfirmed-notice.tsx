import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { Ich } from '../../api/types.ts';
import { linkCommand, useHasNoMail } from '../../api/use-mailweg.ts';
import { Button, linkClass } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Asks a user whose address nobody has confirmed to look into the mailbox; nothing is barred until then. */
export function UnconfirmedNotice({ benutzer }: Pick<Ich, 'benutzer'>) {
  const { t } = useTranslation();
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => call('emailBestaetigungSenden', {}),
  });
  const hasNoMail = useHasNoMail();
  const { email } = benutzer;
  if (benutzer.email_bestaetigt) return null;
  const [open, sent] = hasNoMail
    ? (['bestaetigung.openLog', 'bestaetigung.sentLog'] as const)
    : (['bestaetigung.open', 'bestaetigung.sent'] as const);
  const text = data ? sent : open;
  const action = !data && (
    <Button busy={isPending} onClick={() => mutate()}>
      {t(hasNoMail ? 'bestaetigung.againLog' : 'bestaetigung.again')}
    </Button>
  );
  return (
    <div className="mb-4 flex flex-col gap-2">
      <Notice action={action}>
        <span aria-live="polite">
          {t(text, { email, command: linkCommand('bestaetigung', email) })}
          {data?.link && (
            <>
              {' '}
              <a href={data.link} className={linkClass}>
                {t('zugang.openLink')}
              </a>
            </>
          )}
        </span>
      </Notice>
      {error && <ErrorNotice error={error} />}
    </div>
  );
}
