import { useTranslation } from 'react-i18next';
import type { Summe } from '../../api/types.ts';
import { changePermille } from '../../format/decimal.ts';
import { type Format, useFormat } from '../../format/use-format.ts';
import { FigureButton, FigureRow } from '../../ui/figure.tsx';
import { Term } from '../../ui/term.tsx';
import { figureOf, isMoney, type Measure, measures, textOf, tokens } from './measures.ts';

interface FiguresRowProps {
  summe: Summe;
  /** The period before, where there is one to compare with. */
  vorher?: Summe | undefined;
  selected: Measure;
  onSelect: (measure: Measure) => void;
}

function shortText(summe: Summe, measure: Measure, format: Format): string {
  return measure === 'token' ? format.countShort(tokens(summe)) : textOf(summe, measure, format);
}

/** Tenfold, in tenths of a percent: beyond it the period before had hardly begun, and a percentage says nothing. */
const largestChange = 10_000;

function useNote(summe: Summe, vorher: Summe | undefined) {
  const { t } = useTranslation();
  const format = useFormat();
  return (measure: Measure): string => {
    if (measure === 'fehler') {
      return t('verbrauch.shareOfCalls', { share: format.share(summe.fehler, summe.aufrufe) });
    }
    if (measure === 'verbrannt' && summe.kosten_eur !== null) {
      const share = format.share(Number(summe.verbranntes_geld_eur), Number(summe.kosten_eur));
      return t('verbrauch.shareOfCost', { share });
    }
    if (!vorher) return '';
    const change = changePermille(figureOf(summe, measure), figureOf(vorher, measure));
    if (change === null) return t('verbrauch.nothingBefore');
    const before = shortText(vorher, measure, format);
    if (change > largestChange) return t('verbrauch.before', { before });
    return t('verbrauch.change', { change: format.change(change), before });
  };
}

/** The five figures of a period; the pressed one is what the chart shows. */
export function FiguresRow({ summe, vorher, selected, onSelect }: FiguresRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const noteOf = useNote(summe, vorher);
  return (
    <FigureRow>
      {measures.map((measure) => (
        <div key={measure} className="relative grid min-w-0">
          <FigureButton
            label={t(`verbrauch.measure.${measure}`)}
            value={shortText(summe, measure, format)}
            title={
              isMoney(measure) ? format.moneyExact(figureOf(summe, measure)) : textOf(summe, measure, format)
            }
            note={<span title={noteOf(measure)}>{noteOf(measure)}</span>}
            tone={measure === 'verbrannt' && Number(summe.verbranntes_geld_eur) > 0 ? 'harm' : 'neutral'}
            selected={selected === measure}
            onSelect={() => onSelect(measure)}
          />
          {measure === 'verbrannt' && <Term of="verbrannt" className="absolute top-2 right-2" />}
        </div>
      ))}
    </FigureRow>
  );
}
