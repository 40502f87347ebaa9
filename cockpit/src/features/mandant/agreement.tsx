import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { PrintIcon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Frame } from '../../ui/panel.tsx';
import { avvFassung, avvSections, avvVorbehalt } from './avv-text.ts';

/** What to know before one relies on the text. */
export function AgreementNotice() {
  const { t } = useTranslation();
  return (
    <Notice>
      {t('avv.template')} {t('avv.selfOperated')} {t('avv.language')}
    </Notice>
  );
}

export function PrintButton() {
  const { t } = useTranslation();
  return (
    <Button onClick={() => window.print()}>
      <PrintIcon />
      {t('avv.print')}
    </Button>
  );
}

interface AgreementProps {
  /** Null for who has no account yet. */
  firma: string | null;
  /** Below the text: whether it is accepted, and for whom. */
  status?: string;
}

/** The text of the agreement, as it is printed. */
export function Agreement({ firma, status }: AgreementProps) {
  return (
    <Frame>
      <article lang="de" data-print="" className="max-w-prose p-5 leading-6 print:max-w-none">
        <h2 className="text-lg">Vertrag zur Auftragsverarbeitung</h2>
        <p className="text-sm text-ink-3">
          {avvFassung}. {avvVorbehalt}
        </p>
        <ol className="mt-4 flex flex-col gap-4">
          {avvSections(firma).map(({ title, paragraphs }, index) => (
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
        {status && <p className="mt-4 border-t pt-3 text-sm text-ink-2">{status}</p>}
      </article>
    </Frame>
  );
}
