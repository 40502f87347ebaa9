import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { regelnQuery, regeltypenQuery } from '../../api/queries.ts';
import type { Regel, Regeltyp, Stufe } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { linkClass } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { useMayProtect, useRuleName } from '../eingriffe/index.ts';
import { BacktestResult } from './backtest-result.tsx';
import { type Draft, draftFor, draftOf, hasBacktest, isComplete, toBody } from './draft.ts';
import { RuleActions } from './rule-actions.tsx';
import { RuleForm } from './rule-form.tsx';
import { StateBadge } from './state-badge.tsx';
import { useRuleFault, useSaveRule } from './use-save-rule.ts';

const route = getRouteApi('/cockpit/regeln/$regel_id');

function Back() {
  const { t } = useTranslation();
  return (
    <Link to="/regeln" className="text-xs text-ink-2 hover:underline">
      {t('regeln.back')}
    </Link>
  );
}

/** A new rule; it begins in shadow mode. */
export function NewRulePage(): ReactNode {
  const { t } = useTranslation();
  const types = useQuery(regeltypenQuery);
  return (
    <Page title={t('regeln.new')} above={<Back />}>
      <Loaded query={types}>
        {({ typen, stufen }) => <RuleEditor types={typen} levels={stufen} rule={null} />}
      </Loaded>
    </Page>
  );
}

/** A rule that is there: its state, and what of it can be changed. */
export function RulePage(): ReactNode {
  const { t } = useTranslation();
  const { regel_id } = route.useParams();
  const asked = useQuery(regelnQuery);
  const types = useQuery(regeltypenQuery);
  const may = useMayProtect();
  const nameOf = useRuleName();
  const rule = asked.data?.regeln.find((each) => each.regel_id === regel_id);
  return (
    <Page
      title={rule ? nameOf(rule) : t('regeln.one')}
      above={<Back />}
      beside={rule && <StateBadge of={rule} />}
      actions={rule && may && <RuleActions rule={rule} />}
    >
      <Loaded query={asked}>
        {() =>
          rule === undefined ? (
            <Notice tone="harm">{t('regeln.gone')}</Notice>
          ) : (
            <Loaded query={types}>
              {({ typen, stufen }) => (
                <RuleEditor key={rule.regel_id} types={typen} levels={stufen} rule={rule} />
              )}
            </Loaded>
          )
        }
      </Loaded>
    </Page>
  );
}

interface EditorProps {
  types: Regeltyp[];
  levels: Stufe[];
  /** Null for a new one. */
  rule: Regel | null;
}

/** The form, and beside it what a rule of this type does. */
function RuleEditor({ types, levels, rule }: EditorProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { language } = useFormat();
  const may = useMayProtect();
  const typeOf = (typ: Draft['typ']) => types.find((type) => type.typ === typ) as Regeltyp;
  const [draft, setDraft] = useState<Draft>(() =>
    rule ? draftOf(rule, typeOf(rule.typ), language) : draftFor(typeOf('kosten_grenze'), language),
  );
  const type = typeOf(draft.typ);
  const save = useSaveRule(rule?.regel_id ?? null, (saved) => {
    toast(t(rule ? 'regeln.saved' : 'regeln.created'));
    if (!rule) navigate({ to: '/regeln/$regel_id', params: { regel_id: saved.regel_id } });
  });
  const fault = useRuleFault(save.error);
  const change = (next: Partial<Draft>) =>
    setDraft((before) =>
      next.typ && next.typ !== before.typ
        ? draftFor(typeOf(next.typ), language, before)
        : { ...before, ...next },
    );
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Panel title={t(rule ? 'regeln.edit' : 'regeln.details')}>
        <RuleForm
          draft={draft}
          type={type}
          types={types}
          levels={levels}
          isNew={rule === null}
          readOnly={!may}
          error={save.error}
          busy={save.isPending}
          fault={fault}
          onChange={change}
          onSubmit={() => save.mutate(toBody(draft, type, language, rule === null))}
        />
      </Panel>
      <div className="flex min-w-0 flex-col gap-4">
        {may && (
          <Panel title={t('regeln.backtest')}>
            <Backtest draft={draft} type={type} />
          </Panel>
        )}
        <About type={type} />
      </div>
    </div>
  );
}

/** What the rule as it stands in the form would have done. */
function Backtest({ draft, type }: { draft: Draft; type: Regeltyp }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  if (hasBacktest(draft.typ) && isComplete(draft, type))
    return <BacktestResult asked={{ body: toBody(draft, type, language, true) }} />;
  return (
    <p className="text-sm text-ink-2">
      {t(hasBacktest(draft.typ) ? 'regeln.backtestIncomplete' : 'regeln.backtestBudget')}
    </p>
  );
}

function About({ type }: { type: Regeltyp }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('regeln.about')}>
      <div className="flex flex-col gap-2 text-sm text-ink-2">
        <p className="font-medium text-ink">{t(`regeln.typ.${type.typ}`)}</p>
        <p>{t(`regeln.meaning.${type.typ}`)}</p>
        <p>{t('regeln.furthest', { level: t(`eingriffe.action.${type.hoechstens}`) })}</p>
        <p>
          <Link to="/befunde" search={{ typ: type.typ, status: 'alle' }} className={linkClass}>
            {t('regeln.findings')}
          </Link>
        </p>
      </div>
    </Panel>
  );
}
