import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../api/error.ts';
import type { Ich } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Step } from '../../ui/step.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactorSetup } from './second-factor-setup.tsx';
import { SignInAgainDialog } from './sign-in-again-dialog.tsx';
import { SwitchOffDialog } from './switch-off-dialog.tsx';
import { useBeginSetup } from './use-second-factor.ts';

/** From so few codes on the page says how to get new ones. */
const FEW_CODES = 2;

type Setup = ReturnType<typeof useBeginSetup>;

function Inactive({ setup, benutzer }: { setup: Setup } & Pick<Ich, 'benutzer'>) {
  const { t } = useTranslation();
  // Without a password the way leads over the login page, as the sentence says.
  const again = benutzer.passwort_gesetzt && codeOf(setup.error) === 'anmeldung_zu_alt';
  return (
    <div className="flex max-w-prose flex-col items-start gap-3">
      <p className="text-ink-2">{t('sicherheit.factorText')}</p>
      {setup.error && !again && <ErrorNotice error={setup.error} />}
      <Button kind="primary" busy={setup.isPending} onClick={() => setup.mutate()}>
        {t('sicherheit.setUp')}
      </Button>
      {again && (
        <SignInAgainDialog email={benutzer.email} onDone={() => setup.mutate()} onClose={setup.reset} />
      )}
    </div>
  );
}

function CodesLeft({ count }: { count: number }) {
  const { t } = useTranslation();
  const left = count === 0 ? t('sicherheit.codesNone') : t('sicherheit.codesLeft', { count });
  if (count > FEW_CODES) return <p className="text-ink-2">{left}</p>;
  return (
    <Notice tone="warn">
      {left} {t('sicherheit.codesRenew')}
    </Notice>
  );
}

function Active({ benutzer }: Pick<Ich, 'benutzer'>) {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState(false);
  return (
    <div className="flex max-w-prose flex-col items-start gap-3">
      <CodesLeft count={benutzer.wiederherstellungscodes} />
      {benutzer.passwort_gesetzt ? (
        <Button onClick={() => setLeaving(true)}>{t('sicherheit.switchOff')}</Button>
      ) : (
        <p className="text-xs text-ink-3">{t('sicherheit.switchOffNeedsPassword')}</p>
      )}
      {leaving && <SwitchOffDialog email={benutzer.email} onClose={() => setLeaving(false)} />}
    </div>
  );
}

/** Whether login asks for a code; the way from off over setup and recovery codes to on, and back. */
export function SecondFactorPanel({ ich }: { ich: Ich }) {
  const { t } = useTranslation();
  const setup = useBeginSetup();
  const [codes, setCodes] = useState<string[] | null>(null);
  const active = ich.benutzer.zweiter_faktor;
  const name = codes ? 'codes' : active ? 'on' : setup.data ? 'setup' : 'off';
  const steps = {
    off: () => <Inactive setup={setup} benutzer={ich.benutzer} />,
    setup: () =>
      setup.data && <SecondFactorSetup setup={setup.data} onConfirmed={setCodes} onCancel={setup.reset} />,
    codes: () =>
      codes && (
        <RecoveryCodes
          ich={ich}
          codes={codes}
          onDone={() => {
            setCodes(null);
            setup.reset();
          }}
        />
      ),
    on: () => <Active benutzer={ich.benutzer} />,
  };
  return (
    <Panel
      title={t('sicherheit.factor')}
      aside={
        <Badge tone={active ? 'good' : 'neutral'}>{t(active ? 'sicherheit.on' : 'sicherheit.off')}</Badge>
      }
    >
      <Step name={name}>{steps[name]()}</Step>
    </Panel>
  );
}
