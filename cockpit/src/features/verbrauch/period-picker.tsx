import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CalendarIcon, DownIcon, LeftIcon, RightIcon } from '../../ui/icons.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { useShortcuts } from '../../ui/use-shortcuts.ts';
import { daysOf, isWord, shiftZeitraum, shortcutOf, words } from './zeitraum.ts';

const PeriodDialog = lazy(async () => ({ default: (await import('./period-dialog.tsx')).PeriodDialog }));

interface PeriodPickerProps {
  zeitraum: string;
  onChange: (zeitraum: string) => void;
}

/** The name of a period: its word, or its first and last day. */
export function usePeriodName(): (zeitraum: string) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (zeitraum) => {
    if (isWord(zeitraum)) return t(`zeitraum.${zeitraum}`);
    const { first, last } = daysOf(zeitraum, format.dayOf(new Date()));
    return format.days(first, last);
  };
}

interface PeriodMenuProps extends PeriodPickerProps {
  onCustom: () => void;
}

function PeriodMenu({ zeitraum, onChange, onCustom }: PeriodMenuProps) {
  const { t } = useTranslation();
  const name = usePeriodName()(zeitraum);
  const options = words.map((word) => ({
    value: word,
    label: t(`zeitraum.${word}`),
    shortcut: shortcutOf[word],
  }));
  const trigger = (
    <Button aria-label={`${t('zeitraum.label')}: ${name}`}>
      <CalendarIcon className="text-ink-3" />
      {name}
      <DownIcon className="text-ink-3" />
    </Button>
  );
  return (
    <Menu label={t('zeitraum.choose')} trigger={trigger}>
      <MenuChoice<string>
        label={t('zeitraum.label')}
        value={zeitraum}
        options={options}
        onChange={onChange}
      />
      <MenuSeparator />
      <MenuItem onSelect={onCustom}>{t('zeitraum.custom')}</MenuItem>
    </Menu>
  );
}

/** Chooses the period of a page: menu, single keys, one step back or forth. */
export function PeriodPicker({ zeitraum, onChange }: PeriodPickerProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [custom, setCustom] = useState(false);
  const today = format.dayOf(new Date());
  const step = (direction: 1 | -1) => {
    const target = shiftZeitraum(zeitraum, direction, today);
    if (target !== null) onChange(target);
  };
  const keys = Object.entries(shortcutOf).map(([word, key]) => [key.toLowerCase(), () => onChange(word)]);
  useShortcuts({ ...Object.fromEntries(keys), arrowleft: () => step(-1), arrowright: () => step(1) });
  return (
    <div className="flex items-center gap-1">
      <IconButton label={t('zeitraum.back')} icon={<LeftIcon />} onClick={() => step(-1)} />
      <PeriodMenu zeitraum={zeitraum} onChange={onChange} onCustom={() => setCustom(true)} />
      <IconButton
        label={t('zeitraum.forth')}
        icon={<RightIcon />}
        disabled={shiftZeitraum(zeitraum, 1, today) === null}
        onClick={() => step(1)}
      />
      {custom && (
        <Suspense>
          <PeriodDialog
            days={daysOf(zeitraum, today)}
            today={today}
            onChange={onChange}
            onClose={() => setCustom(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
