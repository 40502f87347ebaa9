import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { ichQuery } from '../../api/queries.ts';
import type { Lizenz } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Panel } from '../../ui/panel.tsx';

/** Sends the browser to the payment provider. */
const goTo = ({ adresse }: { adresse: string }) => window.location.assign(adresse);

const useBook = () =>
  useMutation({ mutationFn: (paket: string) => call('buchen', { body: { paket } }), onSuccess: goTo });

const usePortal = () => useMutation({ mutationFn: () => call('portal', {}), onSuccess: goTo });

function Book({ data }: { data: Lizenz }) {
  const { t } = useTranslation();
  const { error, isPending, isSuccess, mutate, variables } = useBook();
  const offered = data.pakete.filter(({ buchbar, paket }) => buchbar && paket !== data.paket);
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="max-w-prose text-ink-2">{t('buchung.bookText')}</p>
      <div className="flex flex-wrap gap-2">
        {offered.map(({ paket, name }) => (
          <Button
            key={paket}
            kind="primary"
            busy={(isPending || isSuccess) && variables === paket}
            onClick={() => mutate(paket)}
          >
            {t('buchung.book', { name })}
          </Button>
        ))}
      </div>
      {error && <ErrorNotice error={error} />}
    </div>
  );
}

function Portal() {
  const { t } = useTranslation();
  const { error, isPending, isSuccess, mutate } = usePortal();
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="max-w-prose text-ink-2">{t('buchung.portalText')}</p>
      <Button busy={isPending || isSuccess} onClick={() => mutate()}>
        {t('buchung.portal')}
      </Button>
      {error && <ErrorNotice error={error} />}
    </div>
  );
}

/** Why there is nothing to book here, as a sentence; null where there is. */
function useNothingToBook({ buchung_moeglich, quelle }: Lizenz): string | null {
  const { t } = useTranslation();
  const may = useQuery(ichQuery).data?.rechte.includes('konto.buchen') ?? false;
  if (quelle === 'lizenz') return t('buchung.byLicence');
  if (quelle === 'betreiber') return t('buchung.byOperator');
  if (!buchung_moeglich) return t('buchung.notSetUp');
  return may ? null : t('buchung.ownersOnly');
}

/** Booking a package, or changing what is booked; else why not. */
export function BookingPanel({ data }: { data: Lizenz }) {
  const { t } = useTranslation();
  const nothing = useNothingToBook(data);
  const booked = data.abrechnungsstatus !== 'keine';
  // A subscription that has ended can be booked anew; of a running one, or one not paid for, the portal takes care.
  const bookable = data.quelle === 'frei' && data.abrechnungsstatus !== 'zahlung_offen';
  return (
    <Panel title={t('buchung.booking')}>
      {nothing ? (
        <p className="max-w-prose text-ink-2">{nothing}</p>
      ) : (
        <div className="flex flex-col gap-4">
          {bookable && <Book data={data} />}
          {booked && <Portal />}
        </div>
      )}
    </Panel>
  );
}
