import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { regelnQuery } from '../../api/queries.ts';
import type { Befund } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { linkClass } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { ObjectLink, useRuleName } from '../eingriffe/index.ts';
import { stepsInAddress } from './figures.ts';

/** The rule by its name; of one that is gone, that it is. */
function RuleOf({ of }: { of: Pick<Befund, 'regel_id'> }) {
  const { t } = useTranslation();
  const nameOf = useRuleName();
  const { data } = useQuery({ ...regelnQuery, enabled: of.regel_id !== null });
  if (of.regel_id === null) return t('befunde.noRule');
  const rule = data?.regeln.find(({ regel_id }) => regel_id === of.regel_id);
  if (!rule) return data ? t('befunde.ruleGone') : '–';
  return (
    <Link to="/regeln/$regel_id" params={{ regel_id: rule.regel_id }} className={linkClass}>
      {nameOf(rule)}
    </Link>
  );
}

/** The way to the run; the steps it is about are marked there. */
function RunOf({ of }: { of: Befund }) {
  const { t } = useTranslation();
  const schritte = stepsInAddress(of.werte);
  if (of.lauf_id === null) return null;
  return (
    <Link
      to="/laeufe/$lauf_id"
      params={{ lauf_id: of.lauf_id }}
      search={schritte === undefined ? {} : { schritte }}
      className={linkClass}
    >
      {t(schritte === undefined ? 'befunde.toRun' : 'befunde.toSteps')}
    </Link>
  );
}

/** When an alarm told of it, or why none did: of the same incident a rule tells once within the rest period. */
function AlarmOf({ of: { alarm_am, schatten, stufe } }: { of: Befund }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (alarm_am !== null) return format.instant(alarm_am, 'dateTimeZone');
  return t(schatten || stufe === 'beobachten' ? 'befunde.noAlarm' : 'befunde.restsAlarm');
}

/** Where a finding belongs: the run, whom it is about, its rule, its incident, its times. */
export function ContextFacts({ of }: { of: Befund }) {
  const { t } = useTranslation();
  const format = useFormat();
  const at = (instant: string) => format.instant(instant, 'dateTimeZone');
  const ofAgent = of.agent !== null && of.objekt_art !== 'agent';
  const agent = { objekt_art: 'agent', objekt: of.agent ?? '', agent: of.agent } as const;
  const facts: { label: string; value: ReactNode }[] = [
    ...(of.lauf_id === null ? [] : [{ label: t('befunde.run'), value: <RunOf of={of} /> }]),
    ...(of.objekt_art === 'lauf'
      ? []
      : [{ label: t('befunde.object'), value: <ObjectLink of={of} className={linkClass} /> }]),
    ...(ofAgent
      ? [{ label: t('befunde.agentLabel'), value: <ObjectLink of={agent} className={linkClass} /> }]
      : []),
    { label: t('befunde.rule'), value: <RuleOf of={of} /> },
    {
      label: t('befunde.incident'),
      value: (
        <Link to="/befunde" search={{ vorfall_id: of.vorfall_id }} className={linkClass}>
          {t('befunde.toIncident')}
        </Link>
      ),
    },
    { label: t('befunde.begin'), value: at(of.fenster_beginn) },
    { label: t('befunde.found'), value: at(of.erkannt_am) },
    ...(of.geaendert_am === of.erkannt_am
      ? []
      : [{ label: t('befunde.changed'), value: at(of.geaendert_am) }]),
    { label: t('befunde.alarm'), value: <AlarmOf of={of} /> },
  ];
  return <Facts facts={facts} />;
}
