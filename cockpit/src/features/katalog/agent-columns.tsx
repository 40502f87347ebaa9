import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AgentZeile } from '../../api/types.ts';
import type { MoneyColumn } from '../../format/money-column.ts';
import { Money } from '../../ui/money.tsx';
import type { DataColumn } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { useTokenColumns } from '../verbrauch/index.ts';

function NameCell({ agent }: { agent: AgentZeile }) {
  const { agent_id, name, schluessel } = agent;
  return (
    <Link
      to="/agenten/$agent_id"
      params={{ agent_id }}
      title={name === schluessel ? name : `${name} (${schluessel})`}
      className="block truncate font-medium after:absolute after:inset-0"
    >
      {name}
      {name !== schluessel && <span className="ml-2 font-normal text-ink-3 max-md:hidden">{schluessel}</span>}
    </Link>
  );
}

function BurntCell({ amount, amounts }: { amount: string; amounts: MoneyColumn }) {
  return (
    <Money className={Number(amount) > 0 ? 'text-harm' : 'text-ink-3'} value={amount} column={amounts} />
  );
}

const figuresOf = ({ verbrauch }: AgentZeile) => verbrauch;

/** The columns of the list of agents. */
export function useAgentColumns(): DataColumn<AgentZeile>[] {
  const { t } = useTranslation();
  const { text, count, money, instant } = useColumns();
  const tokenColumns = useTokenColumns(figuresOf);
  return useMemo(
    () => [
      text('name', t('katalog.agent'), (agent) => agent.name, {
        cell: (agent) => <NameCell agent={agent} />,
        grow: true,
      }),
      text('projekt', t('katalog.project'), (agent) => agent.projekt, { from: 'md' }),
      money('kosten_eur', t('verbrauch.measure.kosten'), (agent) => agent.verbrauch.kosten_eur),
      count('aufrufe', t('verbrauch.measure.aufrufe'), (agent) => agent.verbrauch.aufrufe),
      ...tokenColumns,
      count('fehler', t('verbrauch.measure.fehler'), (agent) => agent.verbrauch.fehler, { from: 'md' }),
      money('verbranntes_geld_eur', t('verbrauch.burnt'), (agent) => agent.verbrauch.verbranntes_geld_eur, {
        cell: (agent, amounts) => (
          <BurntCell amount={agent.verbrauch.verbranntes_geld_eur} amounts={amounts} />
        ),
        from: 'md',
      }),
      instant('letzter_aufruf_am', t('katalog.lastCall'), (agent) => agent.letzter_aufruf_am, { from: 'lg' }),
    ],
    [text, count, money, instant, tokenColumns, t],
  );
}
