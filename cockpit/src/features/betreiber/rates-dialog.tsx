import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { CsvField } from '../../ui/csv-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useTakeRates } from './use-take-rates.ts';

const ACCEPTED = '.csv,.zip,text/csv,application/zip';

/** Exchange rates out of a file of the bank: taken as soon as it is chosen, since what is known stays. */
function RatesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sentence, fieldError } = useErrorText();
  const { data, error, isPending, mutate } = useTakeRates();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('betreiber.rates.title')}
      description={t('betreiber.rates.text')}
      actions={<Button onClick={onClose}>{t('ui.close')}</Button>}
    >
      <CsvField other={{ label: t('betreiber.rates.file'), accept: ACCEPTED }} onChoose={mutate} />
      {isPending && <p className="text-sm text-ink-2">{t('csv.checking')}</p>}
      {error && (
        <Notice tone="harm" live>
          {fieldError(error, 'datei') ?? sentence(error)}
        </Notice>
      )}
      {data && (
        <Notice tone="good" live>
          {t('betreiber.rates.taken', { count: data.neu, day: format.day(data.bis) })}
        </Notice>
      )}
      {data?.abweichend_zuletzt && (
        <Notice tone="warn">
          {t('betreiber.rates.others', { count: data.abweichend, day: format.day(data.abweichend_zuletzt) })}
        </Notice>
      )}
    </Dialog>
  );
}

/** Takes exchange rates where the installation cannot fetch them. */
export function RatesButton() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('betreiber.rates.button')}</Button>
      {open && <RatesDialog onClose={() => setOpen(false)} />}
    </>
  );
}
