import { useTranslation } from 'react-i18next';
import type { Abgleichzeile } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Money } from '../../ui/money.tsx';
import { PriceLink } from '../preise/index.ts';

type Cause = Abgleichzeile['ursachen'][number];

/** Causes that stand with the number of their calls. */
const OF_CALLS = ['unbepreist', 'teilbepreist', 'preisbuch', 'wartend', 'unzaehlbar'] as const;
const isOfCalls = (art: Cause['art']): art is (typeof OF_CALLS)[number] =>
  OF_CALLS.some((each) => each === art);

function useCauseText(): (of: Cause) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (of) => {
    const { art } = of;
    const amount = format.money(of.betroffen_eur);
    return isOfCalls(art)
      ? t(`abgleich.cause.${art}`, { count: of.aufrufe ?? 0, amount })
      : t(`abgleich.cause.${art}`, { amount });
  };
}

/** What may explain the difference of a row, each with its amount; the rest comes last. */
export function Causes({ of }: { of: Abgleichzeile }) {
  const { t } = useTranslation();
  const format = useFormat();
  const textOf = useCauseText();
  const column = format.moneyColumn(
    of.ursachen.map(({ betrag_eur }) => betrag_eur),
    { signed: true },
  );
  const isMissing = of.rechnung_eur === null;
  return (
    <section aria-label={t('abgleich.causes')} className="flex flex-col gap-1">
      <h2 className="text-xs font-medium text-ink-3">{t('abgleich.causes')}</h2>
      {isMissing && <p>{t('abgleich.needsInvoice')}</p>}
      {!isMissing && of.ursachen.length === 0 && <p>{t('abgleich.noDifference')}</p>}
      <ul className="flex flex-col">
        {of.ursachen.map((cause) => (
          <li
            key={cause.art}
            className="flex items-baseline justify-between gap-4 border-b py-1.5 last:border-b-0"
          >
            <span className="min-w-0">
              {textOf(cause)} {cause.art.endsWith('bepreist') && <PriceLink />}
            </span>
            {cause.betrag_eur === null ? (
              <span className="text-xs whitespace-nowrap text-ink-2">{t('abgleich.unknown')}</span>
            ) : (
              <Money value={cause.betrag_eur} column={column} className="font-medium" />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
