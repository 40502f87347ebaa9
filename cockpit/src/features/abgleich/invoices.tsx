import { useTranslation } from 'react-i18next';
import type { Anbieterrechnung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import type { OpenDialog } from './invoice-dialogs.tsx';

interface InvoicesProps {
  rows: Anbieterrechnung[];
  onOpen: (dialog: OpenDialog) => void;
}

/** What there is to know of an invoice beside its amount. */
function useNotes(): (of: Anbieterrechnung) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ waehrung, kurs, betrag_eur, erfasst_am, erfasst_von: who, notiz }) => {
    const when = format.instant(erfasst_am, 'dateTime');
    const converted = [t('abgleich.rate', { rate: format.decimal(kurs) }), format.money(betrag_eur)];
    return [
      ...(waehrung === 'USD' ? converted : []),
      who === null ? t('abgleich.entered', { when }) : t('abgleich.enteredBy', { when, who }),
      ...(notiz === null ? [] : [notiz]),
    ].join(' · ');
  };
}

/** The invoices of a row, each to be changed or taken out. */
export function Invoices({ rows, onOpen }: InvoicesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const notesOf = useNotes();
  if (rows.length === 0) return null;
  return (
    <section aria-label={t('abgleich.invoices')} className="flex flex-col gap-1">
      <h2 className="text-xs font-medium text-ink-3">{t('abgleich.invoices')}</h2>
      <ul className="flex flex-col">
        {rows.map((of) => {
          const name = of.rechnungsnummer ?? format.money(of.betrag, of.waehrung);
          return (
            <li
              key={of.rechnung_id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b py-1.5 last:border-b-0"
            >
              <div className="min-w-0 flex-1 basis-60 [overflow-wrap:anywhere]">
                <p className="font-medium">
                  {of.rechnungsnummer ?? t('abgleich.noNumber')} · {format.money(of.betrag, of.waehrung)}
                </p>
                <p className="text-xs text-ink-2">{notesOf(of)}</p>
              </div>
              <Button
                aria-label={t('abgleich.changeOf', { name })}
                onClick={() => onOpen({ action: 'change', of })}
              >
                {t('abgleich.change')}
              </Button>
              <Button
                aria-label={t('abgleich.takeOutOf', { name })}
                onClick={() => onOpen({ action: 'takeOut', of })}
              >
                {t('abgleich.takeOut')}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
