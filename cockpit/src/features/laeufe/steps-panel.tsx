import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ereignis } from '../../api/types.ts';
import { sumDecimals } from '../../format/decimal.ts';
import { useFormat } from '../../format/use-format.ts';
import { LongList } from '../../ui/long-list.tsx';
import { MoreRows, type Pages } from '../../ui/more-rows.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Term } from '../../ui/term.tsx';
import { lineClass } from './line.tsx';
import type { Marked } from './marked.ts';
import { RepeatsRow } from './repeats-row.tsx';
import { StepRow } from './step-row.tsx';
import { foldRepeats, isMarkedLine, type Step, toLines, toSteps, worstRepeats } from './steps.ts';
import { useFirstMarked } from './use-first-marked.ts';

/** Height of a closed line in pixels, about. */
const lineHeight = 33;

/** Which lines are open; they stay so while they are out of sight. */
function useOpen() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setOpen(
      (before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]),
    );
  return { open, toggle };
}

export interface StepsPanelProps {
  events: Ereignis[];
  /** Of the events. */
  pages: Pages;
  /** Which steps a finding is about. */
  marked?: Marked | undefined;
  /** A finding above says already that calls repeat themselves. */
  loopIsTold: boolean;
}

/** The steps on a common time axis; alike calls in a row are one line. */
export function StepsPanel({ events, pages, marked, loopIsTold }: StepsPanelProps) {
  const { t } = useTranslation();
  const { open, toggle } = useOpen();
  const { steps, total } = useMemo(() => toSteps(events), [events]);
  const items = useMemo(() => foldRepeats(steps), [steps]);
  const lines = useMemo(() => toLines(items, open), [items, open]);
  const firstMarked = useFirstMarked(lines, pages, marked);
  const format = useFormat();
  const amounts = useMemo(
    () => format.moneyColumn(events.map((event) => event.kosten_eur)),
    [events, format],
  );
  const truncated = t('laeufe.truncated', { count: events.length });
  return (
    <>
      {!loopIsTold && <LoopNotice steps={steps} />}
      <Panel title={t('laeufe.steps')} flush>
        <StepsHead total={total} />
        <LongList
          items={lines}
          keyOf={({ key }) => key}
          estimate={lineHeight}
          showAt={firstMarked}
          className="border-t text-sm"
        >
          {(line) => {
            const shared = {
              amounts,
              marked: isMarkedLine(line, marked),
              open: open.has(line.key),
              onToggle: () => toggle(line.key),
            };
            return line.kind === 'step' ? (
              <StepRow step={line.step} folded={line.folded} {...shared} />
            ) : (
              <RepeatsRow steps={line.steps} {...shared} />
            );
          }}
        </LongList>
        {pages.hasNextPage && <MoreRows pages={pages} count={events.length} status={truncated} />}
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
      <span className="text-right">{t('verbrauch.measure.token')}</span>
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
