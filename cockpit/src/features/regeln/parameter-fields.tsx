import { useTranslation } from 'react-i18next';
import type { Regeltyp } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import type { regeln } from '../../i18n/de/regeln.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { writeParameter } from './draft.ts';
import type { FieldsProps } from './fields.ts';

type Parameter = Regeltyp['parameter'][number];
type Name = keyof typeof regeln.parameter;
type Word = keyof typeof regeln.word;

interface FieldProps {
  of: Parameter;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** The name of a parameter in words; one we have no word for by its name in the contract. */
function useLabel(): (name: string) => string {
  const { t, i18n } = useTranslation();
  return (name) => (i18n.exists(`regeln.parameter.${name}`) ? t(`regeln.parameter.${name as Name}`) : name);
}

function ParameterField({ of, value, error, onChange }: FieldProps) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const label = useLabel()(of.name);
  if (of.werte)
    return (
      <SelectField
        label={label}
        value={value}
        options={of.werte.map((word) => ({ value: word, label: t(`regeln.word.${word as Word}`) }))}
        onChange={onChange}
        error={error}
      />
    );
  const preset = writeParameter(of, of.vorgabe, language);
  const isNumber = of.art === 'ganzzahl' || of.art === 'dezimal';
  const words = t(of.name === 'erlaubt' && of.pflicht ? 'regeln.wordsHintStar' : 'regeln.wordsHint');
  return (
    <TextField
      label={label}
      hint={isNumber ? preset && t('regeln.default', { value: preset }) : words}
      value={value}
      inputMode={isNumber ? 'decimal' : 'text'}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      error={error}
    />
  );
}

/** The further numbers of the type. */
export function ParameterFields({ draft, type, fault, onChange }: FieldsProps) {
  const { t } = useTranslation();
  if (type.parameter.length === 0) return null;
  return (
    <fieldset className="flex min-w-0 flex-col gap-4 border-t pt-4">
      <legend className="sr-only">{t('regeln.more')}</legend>
      {type.parameter.map((parameter) => (
        <ParameterField
          key={parameter.name}
          of={parameter}
          value={draft.parameter[parameter.name] ?? ''}
          error={fault(parameter.name)}
          onChange={(value) => onChange({ parameter: { ...draft.parameter, [parameter.name]: value } })}
        />
      ))}
    </fieldset>
  );
}
