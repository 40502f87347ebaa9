import { useTranslation } from 'react-i18next';
import type { MoneyColumn } from '../../format/money-column.ts';
import { Money } from '../../ui/money.tsx';
import { directionOf } from './state.ts';

const colours = { dearer: 'text-harm', cheaper: 'text-good', equal: '' };

/** By how much calls become dearer or cheaper: a sign, a colour, and a word for listeners. */
export function Difference({ value, column }: { value: string; column: MoneyColumn }) {
  const { t } = useTranslation();
  const direction = directionOf(value);
  return (
    <>
      <Money value={value} column={column} className={`font-medium ${colours[direction]}`} />
      <span className="sr-only"> {t(`neubepreisung.${direction}`)}</span>
    </>
  );
}
