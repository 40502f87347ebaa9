/** How people call the values of a dimension. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { agentenQuery } from '../../api/queries.ts';
import type { AgentZeile } from '../../api/types.ts';
import type { DimensionName, Filter } from './view.ts';

/** The agents that cost most in the period, by key: they have names of their own, and pages by id. */
export function useAgents(zeitraum: string): ReadonlyMap<string, AgentZeile> {
  const { data } = useQuery(agentenQuery(zeitraum));
  return useMemo(() => new Map((data?.agenten ?? []).map((agent) => [agent.schluessel, agent])), [data]);
}

/** The name of a value: that of an agent, the value itself, or that there is none. */
export function useNameOf(zeitraum: string): (dimension: DimensionName, value: string) => string {
  const { t } = useTranslation();
  const agents = useAgents(zeitraum);
  return useCallback(
    (dimension, value) => {
      if (value === '') return t(`ansicht.ohne.${dimension}`);
      return (dimension === 'agent' ? agents.get(value)?.name : undefined) || value;
    },
    [t, agents],
  );
}

/** A filter in words: `Endkunde Müller`. */
export function useFilterName(zeitraum: string): (filter: Filter) => string {
  const { t } = useTranslation();
  const nameOf = useNameOf(zeitraum);
  return ({ dimension, value }) =>
    value === ''
      ? nameOf(dimension, value)
      : `${t(`ansicht.merkmal.${dimension}`)} ${nameOf(dimension, value)}`;
}
