import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { logoQuery } from '../../api/queries.ts';
import type { Branding } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { isColor } from '../../ui/color-field.tsx';
import { Notice } from '../../ui/notice.tsx';

/** The fields as they are typed: empty where nothing is set. */
export type BrandingTexts = Record<keyof Branding, string>;

/** The bar of a statement where no colour is set. */
export const defaultColor = '#0b6b74';

interface StatementPreviewProps {
  texts: BrandingTexts;
  storedLogo: string | null;
  /** Stands where no name is set. */
  firma: string;
}

/** Why the logo is not shown; nothing where it is, or where there is none to show. */
function LogoNotice({ storedLogo, texts }: Omit<StatementPreviewProps, 'firma'>) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const { error } = useQuery({ ...logoQuery(storedLogo ?? ''), enabled: storedLogo !== null });
  const typed = texts.logo_url.trim();
  if (typed !== '' && typed !== storedLogo) return <Notice>{t('branding.logoAfterSaving')}</Notice>;
  if (typed === '' || !error) return null;
  return (
    <Notice tone="harm" live>
      {sentence(error)}
    </Notice>
  );
}

function Logo({ storedLogo, texts, name }: Omit<StatementPreviewProps, 'firma'> & { name: string }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...logoQuery(storedLogo ?? ''), enabled: storedLogo !== null });
  if (data === undefined || texts.logo_url.trim() !== storedLogo) return null;
  return <img src={data} alt={t('branding.logoOf', { name })} className="max-h-12 max-w-40 object-contain" />;
}

/** Paper is white in every theme, and so is the head of a statement. */
function Paper({ texts, storedLogo, firma }: StatementPreviewProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const name = texts.name.trim() || firma;
  const color = isColor(texts.farbe) ? texts.farbe : defaultColor;
  const facts = [
    { label: t('branding.sample.to'), value: t('branding.sample.customer') },
    { label: t('branding.sample.period'), value: format.days('2026-01-01', '2026-01-31') },
    { label: t('branding.sample.amount'), value: format.money('1234.5') },
  ];
  return (
    <div className="overflow-hidden rounded border bg-[#fff] text-[#14181a] shadow-float">
      <div className="h-2" style={{ backgroundColor: color }} />
      <div className="flex flex-col gap-4 p-5">
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 break-words text-base font-semibold">{name}</p>
          <Logo storedLogo={storedLogo} texts={texts} name={name} />
        </div>
        <p className="text-xl font-semibold">{t('branding.sample.title')}</p>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
          {facts.map(({ label, value }) => (
            <div key={label} className="contents">
              <dt className="text-[#5f696c]">{label}</dt>
              <dd className="break-words">{value}</dd>
            </div>
          ))}
        </dl>
        {texts.fusszeile.trim() && (
          <p
            className="border-t pt-3 text-xs break-words whitespace-pre-line text-[#5f696c]"
            style={{ borderColor: color }}
          >
            {texts.fusszeile.trim()}
          </p>
        )}
      </div>
    </div>
  );
}

/** The head of a statement as end customers will see it, with made-up figures. */
export function StatementPreview(props: StatementPreviewProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-3">
      <Paper {...props} />
      <LogoNotice texts={props.texts} storedLogo={props.storedLogo} />
      <p className="text-xs text-ink-3">{t('branding.sample.note')}</p>
    </div>
  );
}
