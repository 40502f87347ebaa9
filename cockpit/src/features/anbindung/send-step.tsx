import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { placeholder, snippetsFor } from './snippets.ts';
import { useCheckKey, type useTestEvent } from './use-connection.ts';

interface SendStepProps {
  /** Full address of the ingest operation. */
  address: string;
  /** The key in full, or empty while it is not known on this page. */
  apiKey: string;
  test: ReturnType<typeof useTestEvent>;
}

/** What the service says about the key, in words that name the next step. */
function Diagnosis({ check }: { check: ReturnType<typeof useCheckKey> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sentence } = useErrorText();
  if (check.error) {
    const refused = check.error instanceof ApiError && check.error.status === 401;
    return (
      <Notice tone="harm" live>
        {refused ? t('anbindung.checkRefused') : sentence(check.error)}
      </Notice>
    );
  }
  if (!check.data) return null;
  const { schluessel, letzter_aufruf_am } = check.data;
  if (!schluessel.bereiche.includes('Senden')) {
    return (
      <Notice tone="warn" live>
        {t('anbindung.checkScope')}
      </Notice>
    );
  }
  return (
    <Notice tone="good" live>
      {letzter_aufruf_am === null
        ? t('anbindung.checkGoodNoCall')
        : t('anbindung.checkGood', { ago: format.ago(letzter_aufruf_am, new Date()) })}
    </Notice>
  );
}

/** Second step: a call. Snippets to copy, a test event to send, a check of the key. */
export function SendStep({ address, apiKey, test }: SendStepProps) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const check = useCheckKey(apiKey);
  const tabs = snippetsFor(address, apiKey || placeholder).map(({ value, label, code }) => ({
    value,
    label,
    content: <CodeBlock code={code} label={t('anbindung.snippet', { language: label })} />,
  }));
  return (
    <div className="flex flex-col gap-3">
      <Tabs label={t('anbindung.languages')} tabs={tabs} />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          kind="primary"
          disabled={apiKey === ''}
          busy={test.isPending}
          onClick={() => {
            check.reset();
            test.mutate();
          }}
        >
          {t('anbindung.sendTest')}
        </Button>
        <Button disabled={apiKey === ''} busy={check.isPending} onClick={() => check.mutate()}>
          {t('anbindung.checkKey')}
        </Button>
        {apiKey === '' && <p className="text-xs text-ink-3">{t('anbindung.needsKey')}</p>}
      </div>
      {test.error && (
        <Notice tone="harm" live>
          {test.error instanceof ApiError && test.error.status === 401
            ? t('anbindung.checkRefused')
            : sentence(test.error)}
        </Notice>
      )}
      <Diagnosis check={check} />
    </div>
  );
}
