import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../api/error.ts';
import { ichQuery } from '../../api/queries.ts';
import type { Ich } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { buttonClass } from '../../ui/button.tsx';
import { OwnCodeField } from '../../ui/code-field.tsx';
import { Consequences } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useCancel } from './use-cancel.ts';

const points = ['keys', 'sessions', 'booking', 'deletion', 'undo'] as const;

function WhatHappens() {
  const { t } = useTranslation();
  const toExport = (
    <Link to="/einstellungen/export" className={buttonClass()}>
      {t('kuendigung.toExport')}
    </Link>
  );
  return (
    <Panel title={t('kuendigung.what')}>
      <div className="flex flex-col gap-3">
        <Consequences points={points.map((point) => t(`kuendigung.point.${point}`))} />
        <Notice tone="warn" action={toExport}>
          {t('kuendigung.exportFirst')}
        </Notice>
      </div>
    </Panel>
  );
}

interface ProofProps {
  proof: { passwort: string; code: string };
  onChange: (proof: { passwort: string; code: string }) => void;
  secondFactor: boolean;
  error: unknown;
}

/** Password and, with a second factor, a code: it is the user who cancels. */
function ProofFields({ proof, onChange, secondFactor, error }: ProofProps) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const failure = codeOf(error);
  return (
    <>
      <PasswordField
        label={t('kuendigung.password')}
        autoComplete="current-password"
        value={proof.passwort}
        onChange={(event) => onChange({ ...proof, passwort: event.target.value })}
        error={fieldError(error, 'passwort')}
        aria-invalid={failure === 'passwort_falsch' || undefined}
      />
      {secondFactor && (
        <OwnCodeField
          value={proof.code}
          onChange={(event) => onChange({ ...proof, code: event.target.value })}
          error={fieldError(error, 'code')}
          aria-invalid={failure === 'code_falsch' || undefined}
        />
      )}
    </>
  );
}

function CancelForm({ ich }: { ich: Ich }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [proof, setProof] = useState({ passwort: '', code: '' });
  const { firma } = ich.mandant;
  const { email, zweiter_faktor } = ich.benutzer;
  const { error, isPending, mutate } = useCancel(ich.mandant);
  const incomplete = proof.passwort === '' || (zweiter_faktor && proof.code.trim() === '');
  return (
    <Form
      harm
      confirm={t('kuendigung.confirm')}
      error={error}
      busy={isPending}
      disabled={typed.trim() !== firma.trim() || incomplete}
      onSubmit={() => mutate({ ...proof, bestaetigung: typed.trim() })}
    >
      <input type="text" autoComplete="username" readOnly hidden value={email} />
      <TextField
        label={t('kuendigung.typeName', { firma })}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <ProofFields proof={proof} onChange={setProof} secondFactor={zweiter_faktor} error={error} />
    </Form>
  );
}

function NoPassword({ email }: { email: string }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col items-start gap-3 text-ink-2">
      <p>{t('kuendigung.needsPassword')}</p>
      <Link to="/passwort-vergessen" state={{ email }} className={buttonClass()}>
        {t('sicherheit.requestPassword')}
      </Link>
    </div>
  );
}

/** Cancels the account: what happens, and the proof that it is meant. */
export function CancelPage(): ReactNode {
  const { t } = useTranslation();
  const { data: ich } = useQuery(ichQuery);
  return (
    <Page title={t('kuendigung.title')}>
      <WhatHappens />
      {ich && (
        <Panel title={t('kuendigung.cancel')}>
          <div className="max-w-sm">
            {ich.benutzer.passwort_gesetzt ? (
              <CancelForm ich={ich} />
            ) : (
              <NoPassword email={ich.benutzer.email} />
            )}
          </div>
        </Panel>
      )}
    </Page>
  );
}
