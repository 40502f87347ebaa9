import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ZwillingUrsache } from '../../api/types.ts';
import type { MoneyColumn } from '../../format/money-column.ts';
import { useFormat } from '../../format/use-format.ts';
import { linkClass } from '../../ui/button.tsx';
import { Money } from '../../ui/money.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useObjectText } from '../eingriffe/index.ts';

interface CauseProps {
  cause: ZwillingUrsache;
  amounts: MoneyColumn;
}

/** The findings a cause rests on most, each with its amount. */
function Findings({ cause: { befunde }, amounts }: CauseProps) {
  const { t } = useTranslation();
  const textOf = useObjectText();
  return (
    <details className="mt-1 text-sm">
      <summary className="min-h-6 w-fit rounded-sm py-0.5 text-xs text-ink-2 hover:text-ink">
        {t('zwilling.mostImportant')}
      </summary>
      <ul className="mt-1 flex flex-col gap-1">
        {befunde.map(({ befund_id, gespart_eur, ...of }) => (
          <li key={befund_id} className="flex items-baseline justify-between gap-3">
            <Link
              to="/befunde/$befund_id"
              params={{ befund_id }}
              className={`${linkClass} min-w-0 [overflow-wrap:anywhere]`}
            >
              {textOf(of)}
            </Link>
            <Money value={gespart_eur} column={amounts} className="shrink-0" />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What was found of a cause: calls, findings, and the way to them. */
function Found({ cause }: Pick<CauseProps, 'cause'>) {
  const { t } = useTranslation();
  const { aufrufe, unbekannt, befunde_anzahl, typen } = cause;
  const only = typen.length === 1 ? typen[0] : undefined;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-xs text-ink-3">
      <span>
        {t('zwilling.calls', { count: aufrufe })} · {t('zwilling.findings', { count: befunde_anzahl })}
      </span>
      {unbekannt > 0 && <span className="text-warn">{t('zwilling.unknownCalls', { count: unbekannt })}</span>}
      <Link to="/befunde" search={{ typ: only, status: 'alle' }} className={linkClass}>
        {t('zwilling.allFindings')}
      </Link>
    </p>
  );
}

function Cause({ cause, amounts }: CauseProps) {
  const { t } = useTranslation();
  const { ursache, geprueft, gespart_eur, befunde_anzahl } = cause;
  return (
    <li className="py-3 first:pt-1 last:pb-0">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="text-sm font-medium">{t(`zwilling.cause.${ursache}.name`)}</h3>
        {geprueft ? (
          <Money value={gespart_eur} column={amounts} className="shrink-0 font-medium" />
        ) : (
          <span className="shrink-0 text-sm text-ink-3">{t('zwilling.notChecked')}</span>
        )}
      </div>
      <p className="max-w-prose text-sm text-ink-2">{t(`zwilling.cause.${ursache}.text`)}</p>
      {!geprueft && <p className="text-xs text-ink-3">{t('zwilling.notCheckedHint')}</p>}
      {befunde_anzahl > 0 && (
        <>
          <Found cause={cause} />
          <Findings cause={cause} amounts={amounts} />
        </>
      )}
    </li>
  );
}

/** The difference by cause, each with a sentence and the findings it rests on. */
export function CausesPanel({ ursachen }: { ursachen: ZwillingUrsache[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const amounts = format.moneyColumn(ursachen.map(({ gespart_eur }) => gespart_eur));
  return (
    <Panel title={t('zwilling.byCause')}>
      <ul className="divide-y">
        {ursachen.map((cause) => (
          <Cause key={cause.ursache} cause={cause} amounts={amounts} />
        ))}
      </ul>
    </Panel>
  );
}
