import { useTranslation } from 'react-i18next';
import { DayField } from '../../ui/day-field.tsx';

interface Texts {
  gilt_ab: string;
  gilt_bis: string;
}

interface ValidityFieldsProps {
  draft: Texts;
  fault: (field: string) => string | undefined;
  onChange: (part: Partial<Texts>) => void;
}

/** From when until when an entry holds. */
export function ValidityFields({ draft, fault, onChange }: ValidityFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <DayField
        label={t('preise.from')}
        hint={t('preise.fromHint')}
        value={draft.gilt_ab}
        onChange={(day) => onChange({ gilt_ab: day })}
        error={fault('gilt_ab')}
      />
      <DayField
        label={t('preise.until')}
        hint={t('preise.untilHint')}
        value={draft.gilt_bis}
        onChange={(day) => onChange({ gilt_bis: day })}
        error={fault('gilt_bis')}
      />
    </div>
  );
}
