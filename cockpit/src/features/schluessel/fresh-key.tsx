import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/notice.tsx';
import { SecretOutput } from '../../ui/secret-output.tsx';

/** A new key in full, this once. */
export function FreshKey({ value }: { value: string }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-2">
      <SecretOutput label={t('schluessel.freshLabel')} value={value} what={t('schluessel.one')} />
      <Notice tone="warn" live>
        {t('schluessel.freshWarning')}
      </Notice>
    </div>
  );
}
