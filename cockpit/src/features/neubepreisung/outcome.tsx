import { useTranslation } from 'react-i18next';
import type { Neubepreisung } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Notice } from '../../ui/notice.tsx';
import { endedEarly } from './state.ts';
import { useMayReprice, usePrepare } from './use-repricing.ts';

/** The same days once more; nothing for users who may not. */
function Again({ of: { von, bis } }: { of: Neubepreisung }) {
  const { t } = useTranslation();
  const may = useMayReprice();
  const prepare = usePrepare();
  if (!may) return null;
  if (prepare.error) return <ErrorNotice error={prepare.error} />;
  return (
    <Button busy={prepare.isPending} onClick={() => prepare.mutate({ von, bis })}>
      {t('neubepreisung.again')}
    </Button>
  );
}

function EndedEarly({ of }: { of: Neubepreisung }) {
  const { t } = useTranslation();
  const { status, grund, angewendet_am, geaendert } = of;
  const failed = status === 'fehlgeschlagen';
  const reason = failed ? 'fehlgeschlagen' : (grund ?? 'von_hand');
  return (
    <Notice tone={failed ? 'harm' : 'warn'} action={<Again of={of} />}>
      {t(`neubepreisung.ended.${reason}`)}{' '}
      {t(
        angewendet_am === null || geaendert === 0
          ? 'neubepreisung.nothingChanged'
          : 'neubepreisung.partlyChanged',
      )}
    </Notice>
  );
}

/** What came of a repricing that rests, in a sentence. */
export function Outcome({ of }: { of: Neubepreisung }) {
  const { t } = useTranslation();
  if (endedEarly(of)) return <EndedEarly of={of} />;
  if (of.status === 'fertig')
    return <Notice tone="good">{t('neubepreisung.done', { count: of.geaendert })}</Notice>;
  if (of.geaendert > 0) return <Notice>{t('neubepreisung.ready')}</Notice>;
  return (
    <EmptyState title={t('neubepreisung.same')}>
      {of.gelesen === 0 ? t('neubepreisung.noCalls') : t('neubepreisung.sameText', { count: of.gelesen })}
    </EmptyState>
  );
}
