import { useTranslation } from 'react-i18next';
import type { Buchhaltung } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { type Draft, type SettingName, SWITCHES } from './bookkeeping-draft.ts';

interface SettingFieldProps {
  name: SettingName;
  draft: Draft;
  error: unknown;
  /** What of the stored settings is wrong or fits together badly. */
  hints: Buchhaltung['hinweise'];
  onChange: (draft: Draft) => void;
}

type Choice = 'wirtschaftsjahr_beginn' | 'sachkontenlaenge' | 'kontenrahmen';
type Options = { value: string; label: string }[];

/** What the settings that are chosen can be. */
function useChoices(): Record<Choice, Options> {
  const { t } = useTranslation();
  const { language } = useFormat();
  const names = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  return {
    wirtschaftsjahr_beginn: Array.from({ length: 12 }, (_, index) => ({
      value: String(index + 1),
      label: names.format(new Date(Date.UTC(2026, index, 1))),
    })),
    sachkontenlaenge: ['4', '5', '6', '7', '8'].map((value) => ({ value, label: value })),
    kontenrahmen: [
      { value: '', label: t('buchhaltung.none') },
      { value: '03', label: 'SKR03' },
      { value: '04', label: 'SKR04' },
    ],
  };
}

const isSwitch = (name: SettingName) => SWITCHES.find((each) => each === name);
const isNumber = (name: SettingName) => name === 'beraternummer' || name === 'mandantennummer';

/** One setting, as a field that fits it. */
export function SettingField({ name, draft, error, hints, onChange }: SettingFieldProps) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const own = hints.filter(({ feld }) => feld === name);
  const wrong = own.find(({ schwere }) => schwere === 'fehler');
  const odd = own.find(({ schwere }) => schwere === 'hinweis');
  const { fieldError } = useErrorText();
  const choices = useChoices();
  const frame = {
    label: t(`buchhaltung.field.${name}`),
    hint: odd ? (
      <strong className="font-medium text-warn">{odd[language]}</strong>
    ) : (
      t(`buchhaltung.hint.${name}`)
    ),
    // What was refused just now is said before what is stored.
    error: fieldError(error, name) ?? wrong?.[language],
  };
  if (isSwitch(name))
    return (
      <div className="sm:col-span-2">
        <CheckField
          {...frame}
          checked={Boolean(draft[name])}
          onChange={({ target }) => onChange({ ...draft, [name]: target.checked })}
        />
      </div>
    );
  const value = String(draft[name]);
  if (name in choices)
    return (
      <SelectField
        {...frame}
        value={value}
        options={choices[name as Choice]}
        onChange={(next) => onChange({ ...draft, [name]: next })}
      />
    );
  return (
    <TextField
      {...frame}
      autoComplete="off"
      inputMode={name === 'steuersatz_prozent' ? 'decimal' : isNumber(name) ? 'numeric' : 'text'}
      value={value}
      onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
    />
  );
}
