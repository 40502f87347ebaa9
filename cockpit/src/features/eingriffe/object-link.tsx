import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { agentenQuery, anbindungQuery } from '../../api/queries.ts';
import type { Eingriff } from '../../api/types.ts';

export interface ObjectProps {
  of: Pick<Eingriff, 'objekt_art' | 'objekt' | 'agent'>;
  className?: string;
}

/** What something is about, in words: `Lauf 1b47d40a von support/triage`, `Agent support/triage`, `Alle Aufrufe`. */
export function useObjectText(): (of: ObjectProps['of']) => string {
  const { t } = useTranslation();
  const { data } = useQuery({ ...anbindungQuery, enabled: false });
  const keys = new Map(data?.schluessel?.map(({ schluessel_id, name }) => [schluessel_id, name]));
  return ({ objekt_art, objekt, agent }) => {
    const kind = t(`eingriffe.object.${objekt_art}`);
    if (objekt_art === 'mandant') return kind;
    if (objekt_art === 'schluessel') return `${kind} ${keys.get(objekt) ?? objekt.slice(0, 8)}`;
    if (objekt_art !== 'lauf') return `${kind} ${objekt}`;
    const id = objekt.slice(0, 8);
    return agent === null ? `${kind} ${id}` : t('eingriffe.runOf', { id, agent });
  };
}

const linkClass = 'hover:underline [overflow-wrap:anywhere]';

/** What something is about, with the way to its page. An agent has a page once it is known by id. */
export function ObjectLink({ of, className = linkClass }: ObjectProps) {
  const text = useObjectText()(of);
  // Names of keys, for those who see them.
  useQuery({ ...anbindungQuery, enabled: of.objekt_art === 'schluessel' });
  const { data } = useQuery({ ...agentenQuery('30tage'), enabled: of.objekt_art === 'agent' });
  const { objekt_art, objekt } = of;
  if (objekt_art === 'mandant') return <span>{text}</span>;
  if (objekt_art === 'lauf')
    return (
      <Link to="/laeufe/$lauf_id" params={{ lauf_id: objekt }} className={className}>
        {text}
      </Link>
    );
  const agent = objekt_art === 'agent' && data?.agenten.find(({ schluessel }) => schluessel === objekt);
  if (agent)
    return (
      <Link to="/agenten/$agent_id" params={{ agent_id: agent.agent_id }} className={className}>
        {text}
      </Link>
    );
  if (objekt_art === 'schluessel')
    return (
      <Link to="/einstellungen/schluessel" className={className}>
        {text}
      </Link>
    );
  return (
    <Link to="/" search={{ [objekt_art]: objekt }} className={className}>
      {text}
    </Link>
  );
}
