import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { preisbuchQuery } from '../../api/queries.ts';
import type { Preisbuch, Preisstand } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useChange } from '../../ui/use-change.ts';
import { ApprovedTab } from './approved-tab.tsx';
import { DiscountsTab } from './discounts-tab.tsx';
import { emptyPrice, type PriceDraft, priceFrom } from './draft.ts';
import { EditionsTab } from './editions-tab.tsx';
import type { ModelRow } from './model-columns.tsx';
import { ModelsTab } from './models-tab.tsx';
import { PriceDialog } from './price-dialog.tsx';
import { PricesTab } from './prices-tab.tsx';
import type { PricesSearch, Section } from './search.ts';
import { useMayPrice } from './use-book.ts';
import { DEFAULT_PERIOD, useModels } from './use-models.ts';

const route = getRouteApi('/cockpit/preise');

/** What models cost and who says so: own prices, discounts, approved models, and every edition of them. */
export function PricesPage(): ReactNode {
  const { t } = useTranslation();
  const book = useQuery(preisbuchQuery);
  const may = useMayPrice();
  return (
    <Page
      title={t('preise.title')}
      actions={
        <Link to="/preise/neubepreisung" className={buttonClass()}>
          {t('preise.reprice')}
        </Link>
      }
    >
      <p className="-mt-2 max-w-prose text-sm text-ink-2">{t('preise.lead')}</p>
      {!may && <Notice>{t('preise.readOnly')}</Notice>}
      <Loaded query={book} lines={8}>
        {(read) => (
          <>
            <Freshness stand={read.stand} />
            <Sections book={read} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** How old what all prices rest on is. */
function Freshness({ stand: { liste, ergaenzung, kurse } }: { stand: Preisstand }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const age = ({ tag, alter_tage }: Preisstand['ergaenzung']) =>
    t('preise.fresh.age', { day: format.day(tag), count: alter_tage });
  return (
    <p className="text-xs text-ink-3">
      {[
        t('preise.fresh.list', { age: liste ? age(liste) : t('preise.fresh.unknown') }),
        t('preise.fresh.supplement', { age: age(ergaenzung) }),
        kurse ? t('preise.fresh.rates', { age: age(kurse) }) : t('preise.fresh.noRates'),
      ].join(' · ')}
    </p>
  );
}

/** The form for a model out of the list, or for the one that the address names. */
function useNewPrice() {
  const { language } = useFormat();
  const may = useMayPrice();
  const search = route.useSearch();
  const { modell, anbieter } = search;
  const put = useChange(search, route.useNavigate());
  const [chosen, setChosen] = useState<ModelRow | null>(null);
  const price = chosen?.price?.saetze ? chosen.price : null;
  const first: PriceDraft | null = price
    ? priceFrom(price, language)
    : chosen
      ? emptyPrice(chosen.modell, chosen.anbieter ?? '')
      : modell === undefined
        ? null
        : emptyPrice(modell, anbieter);
  const close = () => {
    setChosen(null);
    put({ modell: undefined, anbieter: undefined }, { replace: true });
  };
  const dialog = first && may && (
    <PriceDialog first={first} of={null} prefilled={price !== null} onClose={close} />
  );
  return { dialog, onSet: useCallback((row: ModelRow) => setChosen(row), []) };
}

function Sections({ book }: { book: Preisbuch }) {
  const { t } = useTranslation();
  const search = route.useSearch();
  const put = useChange(search, route.useNavigate());
  const zeitraum = search.zeitraum ?? DEFAULT_PERIOD;
  const used = useModels(zeitraum);
  const { dialog, onSet } = useNewPrice();
  const change = (next: PricesSearch) => put(next, { replace: false });
  const models = (
    <ModelsTab
      zeitraum={zeitraum}
      used={used}
      onPeriod={(period) => change({ zeitraum: period === DEFAULT_PERIOD ? undefined : period })}
      onSet={onSet}
    />
  );
  const tabs: { value: Section; label: string; content: ReactNode }[] = [
    { value: 'modelle', label: t('preise.section.modelle'), content: models },
    { value: 'preise', label: t('preise.section.preise'), content: <PricesTab book={book} /> },
    { value: 'rabatte', label: t('preise.section.rabatte'), content: <DiscountsTab book={book} /> },
    { value: 'freigaben', label: t('preise.section.freigaben'), content: <ApprovedTab book={book} /> },
    { value: 'fassungen', label: t('preise.section.fassungen'), content: <EditionsTab book={book} /> },
  ];
  return (
    <>
      <Tabs
        label={t('preise.sections')}
        tabs={tabs}
        value={search.bereich ?? 'modelle'}
        onChange={(bereich) => change({ bereich: bereich === 'modelle' ? undefined : bereich })}
      />
      {dialog}
    </>
  );
}
