import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface LeaveGuardProps {
  armed: boolean;
  title: string;
  /** What is lost. */
  text: string;
}

/** Asks before a page is left with something on it that would be lost. */
export function LeaveGuard({ armed, title, text }: LeaveGuardProps) {
  const { t } = useTranslation();
  const blocker = useBlocker({
    shouldBlockFn: () => armed,
    enableBeforeUnload: armed,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog
      open
      onClose={blocker.reset}
      title={title}
      description={text}
      actions={
        <>
          <Button onClick={blocker.reset}>{t('ui.stay')}</Button>
          <Button kind="harm" onClick={blocker.proceed}>
            {t('ui.leave')}
          </Button>
        </>
      }
    />
  );
}
