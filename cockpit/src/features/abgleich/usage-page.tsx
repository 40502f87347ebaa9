import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/button.tsx';
import { CsvField, CsvRefusal, readCsv } from '../../ui/csv-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { MonthPicker, shiftMonth, useCurrentMonth, useMonth } from '../weiterbelastung/index.ts';
import { InvoiceDialogs, type OpenDialog } from './invoice-dialogs.tsx';
import { chargedBy, type Vergleich } from './usage-figures.ts';
import { UsageTable } from './usage-table.tsx';

const route = getRouteApi('/cockpit/abgleich/nutzung');

/** The month of the address; without one the last that is over. */
function useFileMonth() {
  const search = route.useSearch();
  const current = useCurrentMonth();
  const { month, isWrong } = useMonth(search);
  const isNamed = search.monat !== undefined || isWrong;
  return { month: isNamed ? month : shiftMonth(current, -1), isWrong };
}

/** Has a file compared; the latest one stays at hand for another month. */
function useCompare() {
  const [file, setFile] = useState<File | null>(null);
  const { mutate, ...compared } = useMutation({
    mutationFn: async ({ of, monat }: { of: File; monat: string }): Promise<Vergleich> =>
      call('nutzungVergleichen', { body: { monat, csv: await readCsv(of) } }),
  });
  return {
    ...compared,
    file,
    compare: (of: File, monat: string) => {
      setFile(of);
      mutate({ of, monat });
    },
  };
}

/** Puts in what the file charges as an invoice of the month; nothing where it charges no one amount. */
function TakeAsInvoice({ of }: { of: Vergleich }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const charged = chargedBy(of);
  if (!charged) return null;
  const { monat, anbieter } = of;
  return (
    <>
      <Button onClick={() => setOpen({ action: 'new', monat, anbieter, ...charged })}>
        {t('abgleich.usage.take')}
      </Button>
      <InvoiceDialogs open={open} providers={[anbieter]} onClose={() => setOpen(null)} />
    </>
  );
}

/** What came of the file: its models, and which of its lines are not among them. */
function Outcome({ of: { data, isPending } }: { of: ReturnType<typeof useCompare> }) {
  const { t } = useTranslation();
  if (isPending) return <p className="text-sm text-ink-2">{t('csv.checking')}</p>;
  if (!data) return null;
  return (
    <>
      {data.andere_monate > 0 && (
        <Notice>{t('abgleich.usage.otherMonths', { count: data.andere_monate })}</Notice>
      )}
      <UsageTable key={data.art} of={data} action={<TakeAsInvoice of={data} />} />
    </>
  );
}

/** A provider's own file of costs or usage beside what was counted. Nothing of it is kept but what somebody records as an invoice. */
export function UsagePage(): ReactNode {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { month, isWrong } = useFileMonth();
  const compared = useCompare();
  const change = async (monat: string) => {
    await navigate({ search: { monat } });
    if (compared.file) compared.compare(compared.file, monat);
  };
  return (
    <Page
      title={t('abgleich.usage.title')}
      above={
        <Link to="/abgleich" search={{ monat: month }} className="text-xs text-ink-2 hover:underline">
          {t('abgleich.title')}
        </Link>
      }
      actions={<MonthPicker month={month} onChange={change} />}
    >
      <p className="-mt-2 max-w-prose text-sm text-ink-2">{t('abgleich.usage.text')}</p>
      {isWrong && <Notice>{t('weiterbelastung.badMonth')}</Notice>}
      <Panel title={t('abgleich.usage.file')}>
        <div className="flex max-w-xl flex-col gap-3">
          <p className="text-sm text-ink-2">{t('abgleich.usage.fileText')}</p>
          <CsvField onChoose={(file) => compared.compare(file, month)} />
          {compared.file && (
            <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
              {t('abgleich.usage.chosen', { name: compared.file.name })}
            </p>
          )}
          {compared.error && <CsvRefusal error={compared.error} tooLarge={t('abgleich.usage.tooLarge')} />}
        </div>
      </Panel>
      <Outcome of={compared} />
    </Page>
  );
}
