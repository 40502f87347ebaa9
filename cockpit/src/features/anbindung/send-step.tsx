import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import type { Anbindung } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { PackageStep } from './package-step.tsx';
import { placeholder } from './snippet.ts';
import { snippets } from './snippets.ts';
import { useTestConnection, useTryQuery } from './use-connection.ts';

interface SendStepProps {
  adressen: Anbindung['adressen'];
  /** The key in full, or empty while it is not known on this page. */
  apiKey: string;
}

/** Why a call with the key failed, in words that name the next step. */
function KeyFailure({ error, lacking }: { error: unknown; lacking: string }) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const status = error instanceof ApiError ? error.status : null;
  return (
    <Notice tone="harm" live>
      {status === 401 ? t('anbindung.checkRefused') : status === 403 ? lacking : sentence(error)}
    </Notice>
  );
}

/** What the service says about the key. */
function Diagnosis({ test }: { test: ReturnType<typeof useTestConnection> }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (test.error) return <KeyFailure error={test.error} lacking={t('anbindung.checkScope')} />;
  if (!test.data) return null;
  const { schluessel, letzter_aufruf_am } = test.data;
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

/** What a program gets for the query. */
function QueryAnswer({ query }: { query: ReturnType<typeof useTryQuery> }) {
  const { t } = useTranslation();
  if (query.error) return <KeyFailure error={query.error} lacking={t('anbindung.queryScope')} />;
  if (!query.data) return null;
  return (
    <div role="status">
      <CodeBlock code={JSON.stringify(query.data, null, 2)} label={t('anbindung.answer')} />
    </div>
  );
}

/** The example in every language: the call, and below it the query for what it cost. */
function Examples({ adressen, apiKey }: SendStepProps) {
  const { t } = useTranslation();
  const query = `${adressen.basis}/v1/api/verbrauch?gruppe=agent`;
  const addresses = { send: adressen.ereignisse, query, key: apiKey || placeholder };
  const tabs = snippets.map(({ label, ...snippet }) => ({
    value: label,
    label,
    content: (
      <div className="flex flex-col gap-3">
        <div>
          <h4 className="mb-1 text-sm font-medium">{t('anbindung.send')}</h4>
          <CodeBlock code={snippet.send(addresses)} label={t('anbindung.snippet', { language: label })} />
        </div>
        <div>
          <h4 className="mb-1 text-sm font-medium">{t('anbindung.query')}</h4>
          <CodeBlock
            code={snippet.query(addresses)}
            label={t('anbindung.querySnippet', { language: label })}
          />
        </div>
      </div>
    ),
  }));
  return <Tabs label={t('anbindung.languages')} tabs={tabs} />;
}

/** Second step: a call, and what it cost. Examples to copy, a test of the connection, the query with its answer. */
export function SendStep(props: SendStepProps) {
  const { t } = useTranslation();
  const { apiKey } = props;
  const test = useTestConnection(apiKey);
  const query = useTryQuery(apiKey);
  return (
    <div className="flex flex-col gap-3">
      <PackageStep {...props} />
      <h3 className="mt-2 text-sm font-medium">{t('anbindung.raw')}</h3>
      <Examples {...props} />
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="primary" disabled={apiKey === ''} busy={test.isPending} onClick={() => test.mutate()}>
          {t('anbindung.test')}
        </Button>
        <Button disabled={apiKey === ''} busy={query.isPending} onClick={() => query.mutate()}>
          {t('anbindung.tryQuery')}
        </Button>
        <p className="text-xs text-ink-3">{t(apiKey === '' ? 'anbindung.needsKey' : 'anbindung.testHint')}</p>
      </div>
      <Diagnosis test={test} />
      <QueryAnswer query={query} />
    </div>
  );
}
