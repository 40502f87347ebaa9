import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Gate } from '../zugang/index.ts';
import { Agreement, AgreementNotice, PrintButton } from './agreement.tsx';

/** The agreement for who has no account yet: to read before it is accepted at registration. */
export function AgreementPage(): ReactNode {
  const { t } = useTranslation();
  const other = {
    question: t('zugang.noAccount'),
    name: t('zugang.registerAction'),
    to: '/registrieren',
  } as const;
  return (
    <Gate title={t('avv.title')} other={other} wide>
      <AgreementNotice />
      <Agreement firma={null} />
      <div>
        <PrintButton />
      </div>
    </Gate>
  );
}
