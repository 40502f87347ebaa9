import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ereignis } from '../../api/types.ts';
import type { MoneyColumn } from '../../format/money-column.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Money } from '../../ui/money.tsx';
import { tokensOfCall, useTokenWords } from '../verbrauch/index.ts';
import { Line } from './line.tsx';
import { StatusBadge } from './status-badge.tsx';
import { StepFields } from './step-fields.tsx';
import type { Step } from './steps.ts';

function StepName({ step: { event, alike } }: { step: Step }) {
  const { t } = useTranslation();
  const tools = event.werkzeugaufrufe ?? 0;
  return (
    <>
      <span className="truncate font-medium" title={event.modell ?? undefined}>
        {event.modell ?? t('verbrauch.noModel')}
      </span>
      {event.status !== 'erfolgreich' && (
        <StatusBadge status={event.status} title={event.fehlercode ?? undefined} />
      )}
      {event.zusatz?.abonnement === true && <Badge>{t('codingAgents.mark')}</Badge>}
      {tools > 0 && (
        <span className="max-md:hidden">
          <Badge>{t('laeufe.tools', { count: tools })}</Badge>
        </span>
      )}
      {alike > 1 && (
        <Badge tone="warn" title={t('laeufe.alike', { count: alike })}>
          ×{alike}
        </Badge>
      )}
    </>
  );
}

function Tokens({ event }: { event: Ereignis }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useTokenWords();
  const tokens = tokensOfCall(event);
  // Of a call that named no counts nothing is known, in whichever release it was counted.
  const parts = tokens.token === null ? '' : words.exact(tokens);
  return (
    <span title={event.geschaetzt ? `${t('laeufe.estimated')}: ${parts}` : parts}>
      {event.geschaetzt && '≈ '}
      {format.count(tokens.token)}
    </span>
  );
}

interface StepRowProps {
  step: Step;
  amounts: MoneyColumn;
  marked: boolean;
  /** One of alike calls in a row. */
  folded: boolean;
  open: boolean;
  onToggle: () => void;
}

/** One call; pressed, it shows every field as it was sent. */
export function StepRow({ step, amounts, marked, folded, open, onToggle }: StepRowProps) {
  const { t } = useTranslation();
  const fields = useId();
  const { event } = step;
  return (
    <div className={folded ? 'border-l-2 border-l-warn' : ''}>
      <Line
        steps={[step]}
        number={String(step.number)}
        name={<StepName step={step} />}
        tokens={<Tokens event={event} />}
        latency={event.latenz_ms}
        cost={
          event.kosten_eur === null ? (
            t('anbindung.noPrice')
          ) : (
            <Money value={event.kosten_eur} column={amounts} />
          )
        }
        marked={marked}
        open={open}
        onToggle={onToggle}
        controls={fields}
        className="hover:bg-sunken"
      />
      {open && <StepFields id={fields} event={event} />}
    </div>
  );
}
