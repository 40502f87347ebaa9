import { useTranslation } from 'react-i18next';
import type { ImportEinzeln } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Figure, FigureRow } from '../../ui/figure.tsx';
import { useMoneyTitle } from '../../ui/money.tsx';

/** How many calls were counted already, and how many of these by the telemetry of Claude Code. */
function Known({ calls, told }: { calls: number; told: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const note = told > 0 ? t('importe.knownByTelemetry', { count: told }) : t('importe.knownNote');
  return <Figure label={t('importe.known')} value={format.count(calls)} note={note} />;
}

/** Before it is confirmed: what the file holds. */
function Preview({ of }: { of: ImportEinzeln }) {
  const { t } = useTranslation();
  const format = useFormat();
  const titleOf = useMoneyTitle();
  const column = format.moneyColumn([of.kosten_usd], { currency: 'USD' });
  return (
    <FigureRow>
      <Figure
        label={t('importe.calls')}
        value={format.count(of.aufrufe)}
        note={t('importe.ofRows', { count: of.zeilen ?? 0 })}
      />
      <Figure label={t('importe.fresh')} value={format.count(of.aufrufe - of.bekannt)} />
      <Known calls={of.bekannt} told={of.bekannt_telemetrie} />
      {of.kosten_usd !== null && (
        <Figure
          label={t('importe.cost')}
          value={column.text(of.kosten_usd)}
          title={titleOf(of.kosten_usd, column)}
          note={t('importe.costNote')}
        />
      )}
    </FigureRow>
  );
}

/** … and then what came of it. */
function Receipt({ of }: { of: ImportEinzeln }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <FigureRow>
      <Figure
        label={t('importe.accepted')}
        value={format.count(of.angenommen)}
        note={t('importe.ofCalls', { count: of.aufrufe })}
      />
      <Known calls={of.schon_da} told={of.schon_da_telemetrie} />
      <Figure
        label={t('importe.refusedCalls')}
        value={format.count(of.abgewiesen)}
        note={of.abgewiesen > 0 && t('importe.refusedNote')}
        tone={of.abgewiesen > 0 ? 'harm' : 'neutral'}
      />
      {of.zurueckgenommen > 0 && (
        <Figure label={t('importe.takenBackLabel')} value={format.count(of.zurueckgenommen)} />
      )}
    </FigureRow>
  );
}

/** The preview of an import, or its receipt. */
export const Figures = ({ of }: { of: ImportEinzeln }) =>
  of.angewendet_am === null ? <Preview of={of} /> : <Receipt of={of} />;
