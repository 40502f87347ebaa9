import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../ui/button.tsx';
import { CsvField, CsvRefusal, readCsv } from '../../ui/csv-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useChange } from './use-customers.ts';

interface Checked {
  csv: string;
  changes: AnswerOf<'endkundenEinlesen'>;
}

const useCheck = () =>
  useMutation({
    mutationFn: async (file: File): Promise<Checked> => {
      const csv = await readCsv(file);
      return { csv, changes: await call('endkundenEinlesen', { body: { csv, probe: true } }) };
    },
  });

/** How many end customers a file changes, in words. */
function Changes({ of: { neu, geaendert, gleich } }: { of: Checked['changes'] }) {
  const { t } = useTranslation();
  if (neu + geaendert === 0) return <p className="text-sm text-ink-2">{t('weiterbelastung.csv.nothing')}</p>;
  return (
    <ul className="text-sm">
      {neu > 0 && <li>{t('weiterbelastung.csv.new', { count: neu })}</li>}
      {geaendert > 0 && <li>{t('weiterbelastung.csv.changed', { count: geaendert })}</li>}
      {gleich > 0 && <li className="text-ink-2">{t('weiterbelastung.csv.same', { count: gleich })}</li>}
    </ul>
  );
}

/** End customers out of a CSV: checked first, taken once one has seen how many change. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const check = useCheck();
  const take = useChange('endkundenEinlesen', t('weiterbelastung.csv.taken'), onClose);
  const checked = check.data;
  const ready = checked && checked.changes.neu + checked.changes.geaendert > 0;
  const error = take.error ?? check.error;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('weiterbelastung.csv.title')}
      description={t('weiterbelastung.csv.text')}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button
            kind="primary"
            busy={take.isPending}
            disabled={!ready}
            onClick={() => checked && take.mutate({ body: { csv: checked.csv, probe: false } })}
          >
            {t('csv.take')}
          </Button>
        </>
      }
    >
      <CsvField
        onChoose={(file) => {
          take.reset();
          check.mutate(file);
        }}
      />
      {check.isPending && <p className="text-sm text-ink-2">{t('csv.checking')}</p>}
      {error && <CsvRefusal error={error} tooLarge={t('weiterbelastung.csv.tooLarge')} />}
      {checked && (
        <section aria-label={t('weiterbelastung.csv.result')}>
          <h3 className="text-sm font-medium">{t('weiterbelastung.csv.result')}</h3>
          <Changes of={checked.changes} />
        </section>
      )}
    </Dialog>
  );
}
