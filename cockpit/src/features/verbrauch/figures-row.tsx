import { useTranslation } from 'react-i18next';
import type { Summe } from '../../api/types.ts';
import { changePermille, compareDecimal } from '../../format/decimal.ts';
import { type Format, useFormat } from '../../format/use-format.ts';
import { FigureButton, FigureRow } from '../../ui/figure.tsx';
import { useMoneyTitle } from '../../ui/money.tsx';
import { Term } from '../../ui/term.tsx';
import { figureOf, isMoney, type Measure, measures, textOf } from './measures.ts';
import { useTokenWords } from './tokens.ts';

interface FiguresRowProps {
  summe: Summe;
  /** The period before, where there is one to compare with. */
  vorher?: Summe | undefined;
  selected: Measure;
  onSelect: (measure: Measure) => void;
}

function shortText(summe: Summe, measure: Measure, format: Format): string {
  return measure === 'token' ? format.countShort(summe.token) : textOf(summe, measure, format);
}

/** What stands below the figures as parts of the cost, where they are shown to the cent. */
function partsOf(summe: Summe, measure: Measure): string[] {
  const parts = [summe.gemessen_eur, summe.geschaetzt_eur].filter((part) => part !== null);
  const toTheCent = parts.every((part) => compareDecimal(part, '0.01') >= 0);
  return measure === 'kosten' && toTheCent ? parts : [];
}

/** Tenfold, in tenths of a percent: beyond it the period before had hardly begun, and a percentage says nothing. */
const largestChange = 10_000;

/** What share of the calls failed, of the cost was for nothing; what the tokens are made of. */
function useShare(summe: Summe) {
  const { t } = useTranslation();
  const format = useFormat();
  const tokens = useTokenWords();
  return (measure: Measure): string => {
    if (measure === 'token') return summe.token === 0 ? '' : tokens.short(summe);
    if (measure === 'fehler')
      return t('verbrauch.shareOfCalls', { share: format.share(summe.fehler, summe.aufrufe) });
    if (measure !== 'verbrannt' || summe.kosten_eur === null) return '';
    const share = format.share(Number(summe.verbranntes_geld_eur), Number(summe.kosten_eur));
    return t('verbrauch.shareOfCost', { share });
  };
}

/** How a figure has changed since the period before. */
function useChange(summe: Summe, vorher: Summe | undefined) {
  const { t } = useTranslation();
  const format = useFormat();
  return (measure: Measure): string => {
    if (!vorher) return '';
    const change = changePermille(figureOf(summe, measure), figureOf(vorher, measure));
    if (change === null) return t('verbrauch.nothingBefore');
    const before = shortText(vorher, measure, format);
    if (change > largestChange) return t('verbrauch.before', { before });
    return t('verbrauch.change', { change: format.change(change), before });
  };
}

function Note({ share, change }: { share: string; change: string }) {
  return (
    <>
      {share !== '' && <span className="block">{share}</span>}
      <span className="block" title={change}>
        {change}
      </span>
    </>
  );
}

/** The exact value: money with all its digits, tokens by kind. */
function useExact(summe: Summe) {
  const format = useFormat();
  const titleOf = useMoneyTitle();
  const tokens = useTokenWords();
  return (measure: Measure): string => {
    if (isMoney(measure))
      return titleOf(figureOf(summe, measure), format.moneyColumn([]), partsOf(summe, measure));
    return measure === 'token' ? tokens.exact(summe) : textOf(summe, measure, format);
  };
}

/** The five figures of a period; the pressed one is what the chart shows. */
export function FiguresRow({ summe, vorher, selected, onSelect }: FiguresRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const shareOf = useShare(summe);
  const changeOf = useChange(summe, vorher);
  const exactOf = useExact(summe);
  return (
    <FigureRow>
      {measures.map((measure) => (
        <div key={measure} className="relative grid min-w-0">
          <FigureButton
            label={t(`verbrauch.measure.${measure}`)}
            value={shortText(summe, measure, format)}
            title={exactOf(measure)}
            note={<Note share={shareOf(measure)} change={changeOf(measure)} />}
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
