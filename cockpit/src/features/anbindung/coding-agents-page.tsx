import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { anbindungQuery } from '../../api/queries.ts';
import type { Anbindung } from '../../api/types.ts';
import { linkClass } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Facts } from '../../ui/facts.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { SubscriptionSwitch } from './attribution-panel.tsx';
import { CODING_AGENTS, type CodingAgent, type CodingTarget, isOfCodingAgent } from './coding-agents.ts';
import { KeyStep } from './key-step.tsx';
import { placeholder } from './snippet.ts';
import { SourcesPanel } from './sources-panel.tsx';
import { useAttributeNames } from './use-attribution.ts';

const PAID = ['auto', 'subscription', 'call'] as const;
type Paid = (typeof PAID)[number];

/** What `OTEL_RESOURCE_ATTRIBUTES` says: the repository, who it is for, and who pays where the agent would not know. */
function attributesOf(repository: string, customer: string, paid: Paid, customerName: string) {
  return {
    repository: repository.trim() || 'shop',
    ...(customer.trim() === '' ? {} : { [customerName]: customer.trim() }),
    ...(paid === 'auto' ? {} : { subscription: paid === 'subscription' ? 'true' : 'false' }),
  };
}

/** All settings of one agent. */
function AgentSettings({ agent, target }: { agent: CodingAgent; target: CodingTarget }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-4">
      {agent.settings.map(({ name, file, code }) => (
        <div key={name} className="min-w-0">
          <h3 className="text-sm font-medium">{t(`codingAgents.setting.${name}`)}</h3>
          <p className="mb-1 text-xs text-ink-3 [overflow-wrap:anywhere]">
            {file === null ? t('codingAgents.shell') : <code className="font-mono">{file}</code>}
          </p>
          <CodeBlock
            code={code(target)}
            label={t('codingAgents.settingOf', {
              agent: agent.label,
              name: t(`codingAgents.setting.${name}`),
            })}
          />
        </div>
      ))}
      <p className="max-w-prose text-sm text-ink-2">{t(`codingAgents.note.${agent.id}`)}</p>
    </div>
  );
}

function Settings({ basis, apiKey }: { basis: string; apiKey: string }) {
  const { t } = useTranslation();
  const names = useAttributeNames();
  const [repository, setRepository] = useState('');
  const [customer, setCustomer] = useState('');
  const [paid, setPaid] = useState<Paid>('auto');
  const attributes = attributesOf(repository, customer, paid, names.endkunde);
  const target = { basis, key: apiKey || placeholder, attributes };
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 md:grid-cols-3">
        <TextField
          label={t('codingAgents.repository')}
          value={repository}
          placeholder="shop"
          onChange={(event) => setRepository(event.target.value.replaceAll(/[\s,="]/g, '-'))}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          label={t('codingAgents.customer')}
          value={customer}
          onChange={(event) => setCustomer(event.target.value.replaceAll(/[\s,="]/g, '-'))}
          autoComplete="off"
          spellCheck={false}
        />
        <SelectField
          label={t('codingAgents.paid')}
          value={paid}
          onChange={(value) => setPaid(value as Paid)}
          options={PAID.map((value) => ({ value, label: t(`codingAgents.paidBy.${value}`) }))}
        />
      </div>
      <Tabs
        label={t('codingAgents.agents')}
        tabs={CODING_AGENTS.map((agent) => ({
          value: agent.id,
          label: agent.label,
          content: <AgentSettings agent={agent} target={target} />,
        }))}
      />
    </div>
  );
}

function Body({ data }: { data: Anbindung }) {
  const { t } = useTranslation();
  const [fresh, setFresh] = useState<string | null>(null);
  const [pasted, setPasted] = useState('');
  const hasNone = data.weiter === null && data.schluessel?.every(({ status }) => status !== 'aktiv');
  const key = { hasKey: !hasNone, fresh, onFresh: setFresh, pasted, onPaste: setPasted };
  const facts = (['developer', 'repository', 'session', 'cost'] as const).map((name) => ({
    label: t(`codingAgents.fact.${name}`),
    value: t(`codingAgents.factText.${name}`),
  }));
  return (
    <>
      <Panel title={t('anbindung.step1')}>
        <KeyStep {...key} />
      </Panel>
      <Panel title={t('codingAgents.step2')}>
        <Settings basis={data.adressen.basis} apiKey={fresh ?? pasted} />
      </Panel>
      <Panel title={t('codingAgents.whose')}>
        <Facts facts={facts} />
      </Panel>
      <Panel title={t('codingAgents.subscriptions')}>
        <p className="mb-3 max-w-prose text-sm text-ink-2">{t('codingAgents.subscriptionsText')}</p>
        <SubscriptionSwitch />
      </Panel>
      <SourcesPanel title={t('codingAgents.arrived')} only={isOfCodingAgent} />
    </>
  );
}

/** Coding agents: exact settings for each, whose their calls are, and what subscriptions pay for. */
export function CodingAgentsPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(anbindungQuery);
  return (
    <Page
      title={t('codingAgents.title')}
      above={
        <Link to="/anbindung" className={linkClass}>
          {t('anbindung.title')}
        </Link>
      }
    >
      <p className="max-w-prose text-ink-2">{t('codingAgents.intro')}</p>
      <Loaded query={query} lines={6}>
        {(data) => <Body data={data} />}
      </Loaded>
    </Page>
  );
}
