import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AlarmEinstellungen } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { useSetEinstellungen } from './use-alarms.ts';

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;
type Day = (typeof DAYS)[number];

type Hours = NonNullable<AlarmEinstellungen['ruhestunden']>;

const usual: Hours = { von: '22:00', bis: '07:00', tage: [...DAYS] };

interface HoursProps {
  hours: Hours;
  errorAt: (...path: string[]) => string | undefined;
  onChange: (hours: Hours) => void;
}

function Times({ hours, errorAt, onChange }: HoursProps) {
  const { t } = useTranslation();
  const time = (which: 'von' | 'bis') => (
    <div className="w-32">
      <TextField
        label={t(`alarme.quiet.${which}`)}
        type="time"
        value={hours[which]}
        error={errorAt('ruhestunden', which)}
        onChange={(event) => onChange({ ...hours, [which]: event.target.value })}
      />
    </div>
  );
  return (
    <div className="flex flex-wrap gap-2">
      {time('von')}
      {time('bis')}
    </div>
  );
}

function Days({ hours, errorAt, onChange }: HoursProps) {
  const { t } = useTranslation();
  const error = errorAt('ruhestunden', 'tage');
  const toggle = (day: Day, on: boolean) =>
    onChange({ ...hours, tage: DAYS.filter((one) => (one === day ? on : hours.tage.includes(one))) });
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{t('alarme.quiet.days')}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {DAYS.map((day) => (
          <CheckField
            key={day}
            label={t(`alarme.day.d${day}`)}
            checked={hours.tage.includes(day)}
            onChange={(event) => toggle(day, event.target.checked)}
          />
        ))}
      </div>
      <p className={`text-xs ${error ? 'text-harm' : 'text-ink-3'}`}>{error ?? t('alarme.quiet.hint')}</p>
    </fieldset>
  );
}

type Collecting = AlarmEinstellungen['sammeln'];
const collecting: Collecting[] = ['sofort', 'stuendlich', 'taeglich'];
const languages = ['de', 'en'] as const;

interface DraftProps {
  draft: AlarmEinstellungen;
  onChange: (change: Partial<AlarmEinstellungen>) => void;
}

function Digest({ draft, onChange }: DraftProps) {
  const { t } = useTranslation();
  const options = collecting.map((value) => ({ value, label: t(`alarme.collect.${value}`) }));
  return (
    <div className="flex flex-wrap items-start gap-2">
      <div className="w-full sm:w-72">
        <SelectField
          label={t('alarme.collect.label')}
          hint={t('alarme.collect.hint')}
          value={draft.sammeln}
          options={options}
          onChange={(sammeln) => onChange({ sammeln: sammeln as Collecting })}
        />
      </div>
      {draft.sammeln === 'taeglich' && (
        <div className="w-32">
          <TextField
            label={t('alarme.collect.at')}
            type="time"
            value={draft.sammeln_um}
            onChange={(event) => onChange({ sammeln_um: event.target.value })}
          />
        </div>
      )}
    </div>
  );
}

function Language({ draft, onChange }: DraftProps) {
  const { t } = useTranslation();
  const options = languages.map((value) => ({ value, label: t(`alarme.language.${value}`) }));
  return (
    <div className="w-full sm:w-72">
      <SelectField
        label={t('alarme.language.label')}
        value={draft.sprache}
        options={options}
        onChange={(sprache) => onChange({ sprache: sprache as 'de' | 'en' })}
      />
    </div>
  );
}

/** When people are spared warnings, and in which language they come. */
export function TimesPanel({ settings }: { settings: AlarmEinstellungen }) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const [draft, setDraft] = useState(settings);
  const { error, isPending, mutate } = useSetEinstellungen(() => toast(t('alarme.timesSaved')));
  const change = (part: Partial<AlarmEinstellungen>) => setDraft((before) => ({ ...before, ...part }));
  const { ruhestunden, sprache, sammeln, sammeln_um } = draft;
  const noDay = ruhestunden?.tage.length === 0 ? t('alarme.quiet.noDay') : undefined;
  const errorAt = (...path: string[]) =>
    path.at(-1) === 'tage' ? noDay : fieldError(error, path.at(-1) as string);
  const hours = ruhestunden && {
    hours: ruhestunden,
    errorAt,
    onChange: (next: Hours) => change({ ruhestunden: next }),
  };
  return (
    <Panel title={t('alarme.times')}>
      <Form
        confirm={t('ui.save')}
        error={error}
        busy={isPending}
        disabled={noDay !== undefined}
        onSubmit={() => mutate({ ruhestunden, sprache, sammeln, sammeln_um })}
      >
        <CheckField
          label={t('alarme.quiet.label')}
          hint={t('alarme.quiet.text')}
          checked={ruhestunden !== null}
          onChange={(event) =>
            change({ ruhestunden: event.target.checked ? (settings.ruhestunden ?? usual) : null })
          }
        />
        {hours && (
          <div className="flex flex-col gap-3 pl-6">
            <Times {...hours} />
            <Days {...hours} />
          </div>
        )}
        <Digest draft={draft} onChange={change} />
        <Language draft={draft} onChange={change} />
      </Form>
    </Panel>
  );
}
