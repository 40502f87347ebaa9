import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { MoreIcon } from '../../ui/icons.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import type { EntryOf, ListName } from './book.ts';
import { EndDialog, RemoveDialog } from './end-dialogs.tsx';
import { useMayPrice } from './use-book.ts';
import type { ValidityState } from './validity.ts';

interface EntryItemProps<L extends ListName> {
  list: L;
  entry: EntryOf<L>;
  name: string;
  /** Beside the name: the provider, a tier. */
  beside?: ReactNode;
  /** Of what holds for a time; what does not hold today stands back. */
  state?: ValidityState;
  onChange: () => void;
  children: ReactNode;
}

const tones = { now: 'good', future: 'accent', over: 'neutral' } as const;

/** What can be done to an entry: change it, end it, remove it. */
function EntryActions<L extends ListName>(props: Omit<EntryItemProps<L>, 'children' | 'beside'>) {
  const { list, entry, name, state, onChange } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState<'end' | 'remove' | null>(null);
  const label = t('preise.moreOf', { name });
  const close = () => setOpen(null);
  const ends = list !== 'freigaben' && state !== 'over';
  return (
    <div className="flex items-center gap-1">
      <Button onClick={onChange} aria-label={t('preise.changeOf', { name })}>
        {t('preise.change')}
      </Button>
      <Menu label={label} trigger={<IconButton label={label} icon={<MoreIcon />} />}>
        {ends && <MenuItem onSelect={() => setOpen('end')}>{t('preise.end')}</MenuItem>}
        <MenuItem onSelect={() => setOpen('remove')}>{t('preise.remove')}</MenuItem>
      </Menu>
      {open === 'end' && (
        <EndDialog
          list={list as 'preise' | 'rabatte'}
          entry={entry as EntryOf<'preise' | 'rabatte'>}
          name={name}
          onClose={close}
        />
      )}
      {open === 'remove' && <RemoveDialog list={list} entry={entry} name={name} onClose={close} />}
    </div>
  );
}

/** An entry of the price book. */
export function EntryItem<L extends ListName>({ children, beside, ...props }: EntryItemProps<L>) {
  const { t } = useTranslation();
  const may = useMayPrice();
  const { name, state } = props;
  const stands = state === undefined || state === 'now';
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b px-4 py-2.5 last:border-b-0">
      <div className="min-w-0 flex-[1_1_14rem]">
        <p className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <span
            className={`min-w-0 [overflow-wrap:anywhere] ${stands ? 'font-medium' : 'text-ink-3'}`}
            title={name}
          >
            {name}
          </span>
          {state && <Badge tone={tones[state]}>{t(`preise.state.${state}`)}</Badge>}
          {beside}
        </p>
        <div
          className={`flex flex-wrap gap-x-3 gap-y-0.5 text-xs [overflow-wrap:anywhere] ${stands ? 'text-ink-2' : 'text-ink-3'}`}
        >
          {children}
        </div>
      </div>
      {may && <EntryActions {...props} />}
    </li>
  );
}
