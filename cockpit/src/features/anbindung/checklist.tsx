import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { erststartQuery } from '../../api/queries.ts';
import { CheckIcon } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { LimitsButton } from '../regeln/index.ts';

/** The steps of a new Mandant, done or open; gone once all are done. */
export function Checklist() {
  const { t } = useTranslation();
  const { data } = useQuery(erststartQuery);
  if (!data || data.abgeschlossen) return null;
  const done = data.schritte.filter((step) => step.erledigt).length;
  return (
    <Panel
      title={t('anbindung.checklist')}
      aside={
        <span className="text-xs text-ink-3">
          {t('anbindung.checklistDone', { done, all: data.schritte.length })}
        </span>
      }
    >
      <ol className="flex flex-col gap-2 text-sm">
        {data.schritte.map((step) => (
          <li key={step.schritt} className="flex items-start gap-2">
            <span
              className={`mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border ${step.erledigt ? 'border-transparent bg-good-soft text-good' : 'border-edge'}`}
            >
              {step.erledigt && <CheckIcon className="size-3" />}
            </span>
            <span className={step.erledigt ? 'text-ink-3' : ''}>
              {t(`erststart.${step.schritt}`)}
              <span className="sr-only">
                {t(step.erledigt ? 'anbindung.stepDone' : 'anbindung.stepOpen')}
              </span>
              {step.schritt === 'geldgrenzen' && !step.erledigt && (
                <span className="mt-1 block">
                  <span className="mb-1.5 block text-xs text-ink-3">{t('anbindung.limitsHint')}</span>
                  <LimitsButton />
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
