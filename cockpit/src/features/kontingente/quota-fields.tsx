import { useTranslation } from 'react-i18next';
import { TextField } from '../../ui/field.tsx';
import { QUOTA_FIELDS, type QuotaDraft } from './draft.ts';

interface QuotaFieldsProps {
  draft: QuotaDraft;
  /** What an empty field means. */
  hint: string;
  onChange: (draft: QuotaDraft) => void;
  fieldError: (field: string) => string | undefined;
}

/** How many requests and events a minute has room for. */
export function QuotaFields({ draft, hint, onChange, fieldError }: QuotaFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {QUOTA_FIELDS.map((field) => (
        <TextField
          key={field}
          label={t(`kontingente.${field}`)}
          hint={hint}
          value={draft[field]}
          inputMode="numeric"
          autoComplete="off"
          error={fieldError(field)}
          onChange={(event) => onChange({ ...draft, [field]: event.target.value })}
        />
      ))}
    </div>
  );
}
