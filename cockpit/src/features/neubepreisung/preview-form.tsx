import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { DayField } from '../../ui/day-field.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import type { Days } from '../verbrauch/index.ts';
import { chosenDays, SPANS, type Span, toInput } from './days.ts';
import { usePrepare } from './use-repricing.ts';

interface OwnDaysProps {
  days: Days;
  today: string;
  /** What was wrong with the first and the last day. */
  faults: (string | undefined)[];
  onChange: (days: Days) => void;
}

function OwnDays({ days, today, faults, onChange }: OwnDaysProps) {
  const { t } = useTranslation();
  return (
    <div className="grid max-w-sm grid-cols-2 gap-3">
      {(['first', 'last'] as const).map((end, index) => (
        <DayField
          key={end}
          label={t(`zeitraum.${end}`)}
          max={today}
          value={days[end]}
          error={faults[index]}
          onChange={(day) => onChange({ ...days, [end]: day })}
        />
      ))}
    </div>
  );
}

interface SpanFieldProps {
  span: Span;
  hint: ReactNode;
  onChange: (span: Span) => void;
}

function SpanField({ span, hint, onChange }: SpanFieldProps) {
  const { t } = useTranslation();
  const names = {
    monat: t('zeitraum.monat'),
    vormonat: t('zeitraum.vormonat'),
    jahr: t('neubepreisung.yearSoFar'),
    eigene: t('neubepreisung.custom'),
  };
  return (
    <div className="max-w-sm">
      <SelectField
        label={t('neubepreisung.days')}
        hint={hint}
        value={span}
        options={SPANS.map((value) => ({ value, label: names[value] }))}
        onChange={(value) => onChange(SPANS.find((each) => each === value) ?? 'monat')}
      />
    </div>
  );
}

/** Chooses days, and has it worked out what would change. */
export function PreviewForm({ replaces }: { replaces: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { fieldError } = useErrorText();
  const today = format.dayOf(new Date());
  const [span, setSpan] = useState<Span>('monat');
  const [own, setOwn] = useState<Days>(() => chosenDays('monat', { first: today, last: today }, today));
  const prepare = usePrepare();
  const days = chosenDays(span, own, today);
  const isWhole = days.first !== '' && days.last !== '';
  return (
    <Form
      confirm={t('neubepreisung.prepare')}
      error={prepare.error}
      busy={prepare.isPending}
      disabled={!isWhole}
      onSubmit={() => prepare.mutate(toInput(days))}
    >
      <SpanField span={span} hint={isWhole && format.days(days.first, days.last)} onChange={setSpan} />
      {span === 'eigene' && (
        <OwnDays
          days={own}
          today={today}
          faults={[fieldError(prepare.error, 'von'), fieldError(prepare.error, 'bis')]}
          onChange={setOwn}
        />
      )}
      <p className="text-sm text-ink-2">
        {t('neubepreisung.newHint')} {replaces && t('neubepreisung.replaces')}
      </p>
    </Form>
  );
}
