import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ereignis } from '../../api/types.ts';
import { sumDecimals } from '../../format/decimal.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { MoreRows, type Pages } from '../../ui/more-rows.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Term } from '../../ui/term.tsx';
import { lineClass } from './line.tsx';
import { RepeatsRow } from './repeats-row.tsx';
import { StepRow } from './step-row.tsx';
import { foldRepeats, type Item, type Step, toSteps, worstRepeats } from './steps.ts';

/** More lines than this at once make the browser slow and nobody reads them. */
const pageSize = 200;

const keyOf = (item: Item) => (item.kind === 'step' ? item.step : item.steps[0]!).event.ereignis_id;

interface StepsPanelProps {
  events: Ereignis[];
  /** Of the events. */
  pages: Pages;
}

/** The steps on a common time axis; alike calls in a row are one line. */
export function StepsPanel({ events, pages }: StepsPanelProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(pageSize);
  const { steps, total } = useMemo(() => toSteps(events), [events]);
  const items = useMemo(() => foldRepeats(steps), [steps]);
  const format = useFormat();
  const amounts = useMemo(
    () => format.moneyColumn(events.map((event) => event.kosten_eur)),
    [events, format],
  );
  const truncated = t('laeufe.truncated', { count: events.length });
  return (
    <>
      <LoopNotice steps={steps} />
      {pages.hasNextPage && <Notice tone="warn">{truncated}</Notice>}
      <Panel title={t('laeufe.steps')} flush>
        <StepsHead total={total} />
        <ol className="border-t text-sm">
          {items
            .slice(0, shown)
            .map((item) =>
              item.kind === 'step' ? (
                <StepRow key={keyOf(item)} step={item.step} amounts={amounts} />
              ) : (
                <RepeatsRow key={keyOf(item)} steps={item.steps} amounts={amounts} />
              ),
            )}
        </ol>
        {items.length > shown ? (
          <div className="border-t p-3 text-center">
            <Button onClick={() => setShown(shown + pageSize)}>
              {t('laeufe.moreSteps', { count: items.length - shown })}
            </Button>
          </div>
        ) : (
          pages.hasNextPage && <MoreRows pages={pages} count={events.length} status={truncated} />
        )}
      </Panel>
    </>
  );
}

/** What stands in which column; the lines say it themselves to who cannot see them. */
function StepsHead({ total }: { total: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div aria-hidden="true" className={`${lineClass} text-xs text-ink-3 max-md:hidden`}>
      <span />
      <span>{t('laeufe.model')}</span>
      <span className="flex justify-between">
        <span>0</span>
        <span>{format.duration(total)}</span>
      </span>
      <span className="text-right">{t('laeufe.tokensInOut')}</span>
      <span className="text-right">{t('laeufe.duration')}</span>
      <span className="text-right">{t('verbrauch.measure.kosten')}</span>
    </div>
  );
}

/** Says at once when many calls of the run were the same. */
function LoopNotice({ steps }: { steps: Step[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const worst = useMemo(() => worstRepeats(steps), [steps]);
  const [first] = worst;
  const last = worst.at(-1);
  if (!first || !last) return null;
  const cost = sumDecimals(worst.map((step) => step.event.kosten_eur));
  return (
    <Notice tone="warn" action={<Term of="fingerabdruck" />}>
      {t('laeufe.loop', { count: worst.length, first: first.number, last: last.number })}
      {cost !== null && ` ${t('laeufe.loopCost', { amount: format.money(cost) })}`}
    </Notice>
  );
}
