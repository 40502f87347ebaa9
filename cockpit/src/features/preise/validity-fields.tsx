import { useTranslation } from 'react-i18next';
import { TextField } from '../../ui/field.tsx';

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
      <TextField
        label={t('preise.from')}
        hint={t('preise.fromHint')}
        type="date"
        value={draft.gilt_ab}
        onChange={(event) => onChange({ gilt_ab: event.target.value })}
        error={fault('gilt_ab')}
      />
      <TextField
        label={t('preise.until')}
        hint={t('preise.untilHint')}
        type="date"
        value={draft.gilt_bis}
        onChange={(event) => onChange({ gilt_bis: event.target.value })}
        error={fault('gilt_bis')}
      />
    </div>
  );
}
