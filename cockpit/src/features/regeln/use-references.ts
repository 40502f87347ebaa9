/** What a rule may hold for: names that are known, as suggestions. */
import { useQuery } from '@tanstack/react-query';
import { agentenQuery, projekteQuery, verbrauchQuery } from '../../api/queries.ts';
import type { Regel } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';

const DAY_MS = 86_400_000;
const days = 30;

type Scope = Regel['geltungsbereich'];
const isCounted = (scope: Scope) => scope === 'endkunde' || scope === 'funktion' || scope === 'modell';

/** Keys of agents and projects; end customers, functions and models of the last days. */
export function useReferences(scope: Scope): string[] {
  const format = useFormat();
  const agents = useQuery({ ...agentenQuery('30tage'), enabled: scope === 'agent' });
  const projects = useQuery({ ...projekteQuery, enabled: scope === 'projekt' });
  const [von, bis] = [-days, 1].map((day) => format.dayOf(new Date(Date.now() + day * DAY_MS)));
  const gruppe = isCounted(scope) ? (scope as 'endkunde' | 'funktion' | 'modell') : 'modell';
  const values = useQuery({
    ...verbrauchQuery({ gruppe, von: von ?? '', bis: bis ?? '', limit: 1_000 }),
    enabled: isCounted(scope),
    refetchInterval: false,
  });
  if (scope === 'agent') return (agents.data?.agenten ?? []).map(({ schluessel }) => schluessel);
  if (scope === 'projekt') return (projects.data?.projekte ?? []).map(({ schluessel }) => schluessel);
  if (!isCounted(scope)) return [];
  return (values.data?.zeilen ?? []).map(({ schluessel }) => schluessel).filter(Boolean);
}
