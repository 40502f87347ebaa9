import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ichQuery, kontoQuery } from '../../api/queries.ts';
import type { Konto } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { PrintIcon } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { avvFassung, avvSections, avvVorbehalt } from './avv-text.ts';
import { useAcceptAvv } from './use-settings.ts';

type Mandant = Konto['mandant'];

function useAcceptance({ avv_akzeptiert_am: at, avv_akzeptiert_von: name }: Mandant): string | null {
  const { t } = useTranslation();
  const format = useFormat();
  if (at === null) return null;
  const time = format.instant(at, 'dateTime');
  return name === null ? t('avv.accepted', { time }) : t('avv.acceptedBy', { time, name });
}

/** Whether the agreement is accepted, since when and by whom; else the button that accepts it. */
function Acceptance({ mandant }: { mandant: Mandant }) {
  const { t } = useTranslation();
  const accepted = useAcceptance(mandant);
  const may = useQuery(ichQuery).data?.rechte.includes('konto.verwalten') ?? false;
  const accept = useAcceptAvv(() => toast(t('avv.acceptedToast')));
  if (accepted) return <Notice tone="good">{accepted}</Notice>;
  const button = may && (
    <Button kind="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
      {t('avv.accept')}
    </Button>
  );
  return (
    <>
      <Notice tone="warn" action={button}>
        <strong className="font-medium">{t('avv.open')}.</strong> {t('avv.openText')}
      </Notice>
      {accept.error && <ErrorNotice error={accept.error} />}
    </>
  );
}

function Agreement({ mandant }: { mandant: Mandant }) {
  const { t } = useTranslation();
  const accepted = useAcceptance(mandant);
  return (
    <Frame>
      <article lang="de" data-print="" className="max-w-prose p-5 leading-6 print:max-w-none">
        <h2 className="text-lg">Vertrag zur Auftragsverarbeitung</h2>
        <p className="text-sm text-ink-3">
          {avvFassung}. {avvVorbehalt}
        </p>
        <ol className="mt-4 flex flex-col gap-4">
          {avvSections(mandant.firma).map(({ title, paragraphs }, index) => (
            <li key={title}>
              <h3 className="mb-1 break-after-avoid text-base">
                {index + 1}. {title}
              </h3>
              {paragraphs.map((paragraph) => (
                <p key={paragraph} className="mb-2 break-words">
                  {paragraph}
                </p>
              ))}
            </li>
          ))}
        </ol>
        <p className="mt-4 border-t pt-3 text-sm text-ink-2">
          {accepted ?? t('avv.open')} · {mandant.firma}
        </p>
      </article>
    </Frame>
  );
}

/** The data-processing agreement: to read, to accept, to print. */
export function AvvPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(kontoQuery);
  const print = (
    <Button onClick={() => window.print()}>
      <PrintIcon />
      {t('avv.print')}
    </Button>
  );
  return (
    <Page title={t('avv.title')} actions={print}>
      <Loaded query={query} lines={8}>
        {({ mandant }) => (
          <>
            <Acceptance mandant={mandant} />
            <Notice>
              {t('avv.template')} {t('avv.selfOperated')} {t('avv.language')}
            </Notice>
            <Agreement mandant={mandant} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
