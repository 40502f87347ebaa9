import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Anbindung } from '../../api/types.ts';
import { CopyLine } from '../../ui/copy-line.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PastPanel } from '../importe/index.ts';
import { KeysPanel } from '../schluessel/index.ts';
import { ArrivalStep } from './arrival-step.tsx';
import { AttributionPanel, OwnDimensionsPanel } from './attribution-panel.tsx';
import { Checklist } from './checklist.tsx';
import { KeyStep } from './key-step.tsx';
import { SendStep } from './send-step.tsx';
import { SourcesPanel } from './sources-panel.tsx';
import { useConnection } from './use-connection.ts';

/** From nothing to the first counted call: key, call, arrival. */
export function ConnectPage(): ReactNode {
  const { t } = useTranslation();
  const [fresh, setFresh] = useState<string | null>(null);
  const [pasted, setPasted] = useState('');
  const apiKey = fresh ?? pasted;
  const { data, error, refetch } = useConnection();
  if (!data) {
    return (
      <Page title={t('anbindung.title')}>
        {error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton lines={3} height="h-40" />}
      </Page>
    );
  }
  const hasNone = data.weiter === null && data.schluessel?.every(({ status }) => status !== 'aktiv');
  const key = { hasKey: !hasNone, fresh, onFresh: setFresh, pasted, onPaste: setPasted };
  return (
    <Page title={t('anbindung.title')}>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title={t('anbindung.step1')}>
            <KeyStep {...key} />
          </Panel>
          <Panel title={t('anbindung.step2')}>
            <SendStep adressen={data.adressen} apiKey={apiKey} />
          </Panel>
          <Panel title={t('anbindung.step3')}>
            <ArrivalStep data={data} />
          </Panel>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Checklist />
          <Addresses adressen={data.adressen} />
        </div>
      </div>
      {data.erster_aufruf_am !== null && <SourcesPanel />}
      <PastPanel />
      <AttributionPanel />
      <OwnDimensionsPanel />
      {data.schluessel && <KeysPanel keys={data.schluessel} isPart={data.weiter !== null} />}
    </Page>
  );
}

function Addresses({ adressen }: { adressen: Anbindung['adressen'] }) {
  const { t } = useTranslation();
  const lines = (['basis', 'ereignisse', 'pruefen'] as const).map((name) => ({
    label: t(`anbindung.address.${name}`),
    value: adressen[name],
  }));
  return (
    <Panel title={t('anbindung.addresses')}>
      <ul className="flex flex-col gap-2">
        {lines.map(({ label, value }) => (
          <li key={label}>
            <CopyLine label={label} value={value} />
          </li>
        ))}
      </ul>
      <a href={adressen.beschreibung} className="mt-3 inline-block text-sm text-accent underline">
        {t('anbindung.apiDocs')}
      </a>
    </Panel>
  );
}
