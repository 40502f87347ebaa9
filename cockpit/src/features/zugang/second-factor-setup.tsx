import { useTranslation } from 'react-i18next';
import { codeOf } from '../../api/error.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { Button, linkClass } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { SecretOutput } from '../../ui/secret-output.tsx';
import { useConfirmSetup } from './use-second-factor.ts';

interface SetupProps {
  setup: AnswerOf<'zweiterFaktorEinrichten'>;
  onConfirmed: (codes: string[]) => void;
  onCancel: () => void;
}

/** The secret as a picture, as text, and on a phone as a link into its app. */
function Secret({ setup }: Pick<SetupProps, 'setup'>) {
  const { t } = useTranslation();
  const groups = setup.geheimnis.match(/.{1,4}/g)?.join(' ') ?? '';
  return (
    <div className="flex gap-4 max-sm:flex-col sm:items-start">
      <QrCode text={setup.otpauth_uri} label={t('sicherheit.qr')} />
      <div className="flex min-w-0 grow flex-col gap-3">
        <p>{t('sicherheit.scan')}</p>
        <a href={setup.otpauth_uri} className={`${linkClass} self-start md:hidden`}>
          {t('sicherheit.openApp')}
        </a>
        <p className="text-ink-2">{t('sicherheit.byHand')}</p>
        <SecretOutput
          label={t('sicherheit.secret')}
          value={setup.geheimnis}
          shown={groups}
          what={t('sicherheit.secret')}
        />
      </div>
    </div>
  );
}

/** Setting up: the secret goes into the app, and a code of the app back, to show that it arrived. */
export function SecondFactorSetup({ setup, onConfirmed, onCancel }: SetupProps) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const { error, isPending, mutate } = useConfirmSetup(onConfirmed);
  const wrong = codeOf(error) === 'code_falsch';
  return (
    <div className="flex max-w-2xl flex-col gap-5">
      <Secret setup={setup} />
      <Form
        confirm={t('sicherheit.switchOn')}
        error={error}
        busy={isPending}
        actions={<Button onClick={onCancel}>{t('ui.cancel')}</Button>}
        onSubmit={(form) => mutate(textOf(form, 'code').replace(/\s/g, ''))}
      >
        <CodeField
          label={t('sicherheit.confirmCode')}
          hint={t('sicherheit.confirmHint')}
          name="code"
          error={fieldError(error, 'code')}
          aria-invalid={wrong || undefined}
        />
      </Form>
    </div>
  );
}
