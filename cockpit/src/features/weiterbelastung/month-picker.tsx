import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CalendarIcon, DownIcon, LeftIcon, RightIcon } from '../../ui/icons.tsx';
import { Menu, MenuChoice } from '../../ui/menu.tsx';
import { useShortcuts } from '../../ui/use-shortcuts.ts';
import { lastMonths, shiftMonth } from './months.ts';
import { useCurrentMonth } from './use-month.ts';

/** Months to choose from, at least. */
const OFFERED = 13;

interface MonthPickerProps {
  month: string;
  onChange: (month: string) => void;
}

/** Chooses the month of a page: one back or forth, or out of the last ones. None after the current one. */
export function MonthPicker({ month, onChange }: MonthPickerProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const current = useCurrentMonth();
  const nameOf = (each: string) => format.day(`${each}-01`, 'monthLong');
  const hasNext = month < current;
  const back = () => onChange(shiftMonth(month, -1));
  const forth = () => hasNext && onChange(shiftMonth(month, 1));
  useShortcuts({ arrowleft: back, arrowright: forth });
  const options = lastMonths(current, month, OFFERED).map((value) => ({ value, label: nameOf(value) }));
  const trigger = (
    <Button aria-label={`${t('weiterbelastung.month.label')}: ${nameOf(month)}`}>
      <CalendarIcon className="text-ink-3" />
      {nameOf(month)}
      <DownIcon className="text-ink-3" />
    </Button>
  );
  return (
    <div className="flex items-center gap-1">
      <IconButton label={t('weiterbelastung.month.back')} icon={<LeftIcon />} onClick={back} />
      <Menu label={t('weiterbelastung.month.choose')} trigger={trigger}>
        <MenuChoice
          label={t('weiterbelastung.month.label')}
          value={month}
          options={options}
          onChange={onChange}
        />
      </Menu>
      <IconButton
        label={t('weiterbelastung.month.forth')}
        icon={<RightIcon />}
        disabled={!hasNext}
        onClick={forth}
      />
    </div>
  );
}
