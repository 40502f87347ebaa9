import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { regelnQuery } from '../../api/queries.ts';
import type { Regel } from '../../api/types.ts';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { Term } from '../../ui/term.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { useMayProtect, useRuleName } from '../eingriffe/index.ts';
import { LimitsButton } from './limits-dialog.tsx';
import { useRuleTexts } from './rule-texts.ts';
import { StateBadge } from './state-badge.tsx';

function NewRule() {
  const { t } = useTranslation();
  return (
    <Link to="/regeln/neu" className={buttonClass('primary')}>
      {t('regeln.new')}
    </Link>
  );
}

/** The rules: what each looks at, and what it does. */
export function RulesPage(): ReactNode {
  const { t } = useTranslation();
  const asked = useQuery(regelnQuery);
  const may = useMayProtect();
  return (
    <Page
      title={t('regeln.title')}
      actions={
        may && (
          <>
            <LimitsButton />
            <NewRule />
          </>
        )
      }
    >
      <div className="-mt-2 text-sm text-ink-2">
        {t('regeln.intro')} <Term of="schatten" />
      </div>
      <Loaded query={asked} lines={10}>
        {({ regeln }) =>
          regeln.length === 0 ? (
            <EmptyState title={t('regeln.empty')} action={may && <NewRule />}>
              {t('regeln.emptyText')}
            </EmptyState>
          ) : (
            <Frame>
              <RulesTable rules={regeln} />
            </Frame>
          )
        }
      </Loaded>
    </Page>
  );
}

function NameCell({ rule }: { rule: Regel }) {
  const { t } = useTranslation();
  const { thresholdText, scopeText } = useRuleTexts();
  const typ = t(`regeln.typ.${rule.typ}`);
  const name = useRuleName()(rule);
  const threshold = thresholdText(rule);
  const small = threshold === '–' ? scopeText(rule) : `${scopeText(rule)} · ${threshold}`;
  return (
    <div className="py-1">
      <Link
        to="/regeln/$regel_id"
        params={{ regel_id: rule.regel_id }}
        title={name}
        className="block truncate font-medium after:absolute after:inset-0"
      >
        {name}
      </Link>
      {typ !== name && <span className="block truncate text-xs text-ink-3">{typ}</span>}
      <span className="block truncate text-xs text-ink-3 @3xl:hidden">{small}</span>
    </div>
  );
}

function useRuleColumns(): DataColumn<Regel>[] {
  const { t } = useTranslation();
  const { text } = useColumns();
  const texts = useRuleTexts();
  const nameOf = useRuleName();
  return useMemo(
    () => [
      text('name', t('regeln.name'), (rule: Regel) => nameOf(rule), {
        cell: (rule) => <NameCell rule={rule} />,
        grow: true,
      }),
      text('typ', t('regeln.type'), (rule: Regel) => t(`regeln.typ.${rule.typ}`), { only: 'file' }),
      text('bezug', t('regeln.scope'), texts.scopeText, { from: 'lg' }),
      text('schwelle', t('regeln.threshold'), texts.thresholdText, { from: 'lg' }),
      text('zeitfenster', t('regeln.window'), (rule: Regel) => texts.windowText(rule.zeitfenster), {
        from: 'lg',
      }),
      text('stufe', t('regeln.level'), (rule: Regel) => t(`eingriffe.action.${rule.stufe}`), {
        from: 'md',
      }),
      text(
        'zustand',
        t('regeln.state'),
        ({ aktiv, schattenbetrieb }: Regel) =>
          t(aktiv ? (schattenbetrieb ? 'regeln.shadow' : 'regeln.armed') : 'regeln.paused'),
        { cell: (rule) => <StateBadge of={rule} /> },
      ),
    ],
    [t, text, texts, nameOf],
  );
}

function RulesTable({ rules }: { rules: Regel[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      caption={t('regeln.title')}
      columns={useRuleColumns()}
      rows={rules}
      rowKey={(rule) => rule.regel_id}
      csvName="regeln"
    />
  );
}
