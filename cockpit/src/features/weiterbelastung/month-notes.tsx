import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Abrechnungsmonat, EndkundenSeite } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { linkClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PriceLink } from '../preise/index.ts';

interface MonthNotesProps {
  page: EndkundenSeite;
  /** When and by whom it was closed, once that is known. */
  closed: Abrechnungsmonat | undefined;
}

function useClosedText(): (closed: Abrechnungsmonat | undefined) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (closed) => {
    if (!closed?.geschlossen_am) return t('weiterbelastung.closedShort');
    const when = format.instant(closed.geschlossen_am, 'dateTime');
    const who = closed.geschlossen_von;
    return who === null
      ? t('weiterbelastung.closed', { when })
      : t('weiterbelastung.closedBy', { when, who });
  };
}

/** How the month stands. */
function Standing({ page, closed }: MonthNotesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const closedText = useClosedText();
  if (page.status === 'geschlossen')
    return (
      <p className="text-sm text-ink-2">
        {closedText(closed)}{' '}
        <Link to="/endkunden" className={linkClass}>
          {t('weiterbelastung.toCurrent')}
        </Link>
      </p>
    );
  return (
    <p className="text-sm text-ink-2">
      {t(`weiterbelastung.statusText.${page.status}`)}{' '}
      {t('weiterbelastung.countedUntil', { time: format.instant(page.gezaehlt_bis, 'dateTime') })}
    </p>
  );
}

/** Calls that are in no amount, or only with a part of their price. */
export function PriceNotes({ of }: { of: { unbepreist: number; teilbepreist: number } }) {
  const { t } = useTranslation();
  if (of.unbepreist === 0 && of.teilbepreist === 0) return null;
  return (
    <Notice tone="warn" action={<PriceLink />}>
      {of.unbepreist > 0 && t('weiterbelastung.unpriced', { count: of.unbepreist })}{' '}
      {of.teilbepreist > 0 && t('weiterbelastung.partly', { count: of.teilbepreist })}
    </Notice>
  );
}

/** What there is to know of a month before one reads its figures. */
export function MonthNotes(props: MonthNotesProps) {
  return (
    <>
      <Standing {...props} />
      <PriceNotes of={props.page.summe} />
    </>
  );
}
