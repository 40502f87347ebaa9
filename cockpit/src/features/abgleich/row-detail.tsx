import { useTranslation } from 'react-i18next';
import type { Abgleichzeile } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { Causes } from './causes.tsx';
import type { OpenDialog } from './invoice-dialogs.tsx';
import { Invoices } from './invoices.tsx';

interface RowDetailProps {
  of: Abgleichzeile;
  onOpen: (dialog: OpenDialog) => void;
}

/** What was counted, in parts. */
function Counted({ of }: { of: Abgleichzeile }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts = [
    [t('abgleich.measured'), format.money(of.gemessen_eur)],
    [t('abgleich.estimated'), format.money(of.geschaetzt_eur)],
    [t('abgleich.countedUsd'), format.money(of.kosten_usd, 'USD')],
    [t('abgleich.calls'), format.count(of.aufrufe)],
    [t('abgleich.unpriced'), format.count(of.unbepreist)],
  ];
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt className="text-xs text-ink-2">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What calls reported as their cost, beside the list. */
function Reported({ of }: { of: NonNullable<Abgleichzeile['gemeldet']> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const without = of.aufrufe - of.verglichen;
  return (
    <section aria-label={t('abgleich.reported')} className="flex flex-col gap-1">
      <h2 className="text-xs font-medium text-ink-3">{t('abgleich.reported')}</h2>
      {of.verglichen > 0 && (
        <p>
          {t('abgleich.reportedText', {
            count: of.verglichen,
            reported: format.money(of.gemeldet_eur),
            list: format.money(of.liste_eur),
            difference: format.moneyColumn([of.differenz_eur], { signed: true }).text(of.differenz_eur),
          })}
        </p>
      )}
      {without > 0 && <p>{t('abgleich.reportedOnly', { count: without })}</p>}
    </section>
  );
}

/** What own prices and discounts make, beside the list. */
function Booked({ of }: { of: NonNullable<Abgleichzeile['preisbuch']> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const without = of.aufrufe - of.verglichen;
  return (
    <section aria-label={t('abgleich.booked')} className="flex flex-col gap-1">
      <h2 className="text-xs font-medium text-ink-3">{t('abgleich.booked')}</h2>
      {of.verglichen > 0 && (
        <p>
          {t('abgleich.bookedText', {
            count: of.verglichen,
            booked: format.money(of.preisbuch_eur),
            list: format.money(of.listenpreis_eur),
            difference: format.moneyColumn([of.differenz_eur], { signed: true }).text(of.differenz_eur),
          })}
        </p>
      )}
      {without > 0 && <p>{t('abgleich.bookedOnly', { count: without })}</p>}
      {of.offene_tage > 0 && <p>{t('abgleich.bookedOpen', { count: of.offene_tage })}</p>}
    </section>
  );
}

/** What stands below a row that is open: what was counted, causes, invoices. */
export function RowDetail({ of, onOpen }: RowDetailProps) {
  const { t } = useTranslation();
  const { monat, anbieter } = of;
  return (
    <div className="flex max-w-3xl flex-col gap-4 rounded border bg-surface p-3">
      <Counted of={of} />
      <Causes of={of} />
      {of.gemeldet && <Reported of={of.gemeldet} />}
      {of.preisbuch && <Booked of={of.preisbuch} />}
      <Invoices rows={of.rechnungen} onOpen={onOpen} />
      {anbieter !== null && (
        <div>
          <Button onClick={() => onOpen({ action: 'new', monat, anbieter })}>{t('abgleich.new')}</Button>
        </div>
      )}
    </div>
  );
}
