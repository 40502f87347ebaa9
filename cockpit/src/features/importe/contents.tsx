import { useTranslation } from 'react-i18next';
import type { ImportEinzeln } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Panel } from '../../ui/panel.tsx';

interface Line {
  name: string;
  count: number;
  note?: string | undefined;
}

/** Names and how many calls, or rows, each has. */
function Counts({ title, lines }: { title: string; lines: Line[] }) {
  const format = useFormat();
  return (
    <Panel title={title}>
      <dl
        className="flex max-h-72 flex-col overflow-y-auto text-sm"
        tabIndex={lines.length > 8 ? 0 : undefined}
      >
        {lines.map(({ name, count, note }) => (
          <div
            key={name}
            className="flex items-baseline justify-between gap-3 border-b py-1.5 last:border-b-0"
          >
            <dt className="min-w-0 [overflow-wrap:anywhere]">
              {name}
              {note && <span className="block text-xs text-ink-3">{note}</span>}
            </dt>
            <dd className="shrink-0 tabular-nums">{format.count(count)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** What is in the file: its time, its models, its months, and what was left out. */
export function Contents({ of }: { of: ImportEinzeln }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { von, bis, modelle, monate, ausgelassen } = of;
  const models = modelle.map(({ modell, aufrufe }) => ({
    name: modell ?? t('importe.noModel'),
    count: aufrufe,
  }));
  const months = monate.map(({ monat, aufrufe, geschlossen }) => ({
    name: format.day(`${monat}-01`, 'month'),
    count: aufrufe,
    note: geschlossen ? t('importe.closed') : undefined,
  }));
  const left = ausgelassen.map(({ grund, anzahl }) => ({ name: t(`importe.left.${grund}`), count: anzahl }));
  const span =
    von !== null && bis !== null
      ? `${t('importe.months')}: ${format.days(format.dayOf(von), format.dayOf(bis))}`
      : t('importe.months');
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      {months.length > 0 && <Counts title={span} lines={months} />}
      {models.length > 0 && <Counts title={t('importe.models')} lines={models} />}
      {left.length > 0 && <Counts title={t('importe.leftOut')} lines={left} />}
    </div>
  );
}
