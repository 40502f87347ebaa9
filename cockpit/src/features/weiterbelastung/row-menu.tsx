import { useTranslation } from 'react-i18next';
import type { Endkunde } from '../../api/types.ts';
import { IconButton } from '../../ui/button.tsx';
import { MoreIcon } from '../../ui/icons.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import type { CustomerAction } from './customer-dialogs.tsx';
import { nameOf } from './names.ts';

interface RowMenuProps {
  of: Endkunde;
  onAction: (action: CustomerAction, of: Endkunde) => void;
}

function Items({ of, onAction }: RowMenuProps) {
  const { t } = useTranslation();
  const hasMerged = of.zusammengefuehrt.length > 0;
  // A closed month: what is known of them today is of no matter there.
  if (of.buchung)
    return (
      <MenuItem onSelect={() => onAction('booking', of)}>{t('weiterbelastung.booking.correct')}</MenuItem>
    );
  if (of.entfernt)
    return <MenuItem onSelect={() => onAction('again', of)}>{t('weiterbelastung.again')}</MenuItem>;
  return (
    <>
      <MenuItem onSelect={() => onAction('edit', of)}>{t('weiterbelastung.edit')}</MenuItem>
      <MenuItem
        onSelect={() => onAction('merge', of)}
        barred={hasMerged ? t('weiterbelastung.mergeBarred') : undefined}
      >
        {t('weiterbelastung.merge')}
      </MenuItem>
      {hasMerged && (
        <MenuItem onSelect={() => onAction('split', of)}>{t('weiterbelastung.mergedRefs')}</MenuItem>
      )}
      <MenuSeparator />
      <MenuItem onSelect={() => onAction('remove', of)}>{t('weiterbelastung.remove')}</MenuItem>
    </>
  );
}

/** What can be done to an end customer. */
export function RowMenu(props: RowMenuProps) {
  const { t } = useTranslation();
  const label = t('weiterbelastung.actionsFor', { name: nameOf(props.of) });
  return (
    // Above the link that fills the row.
    <div className="relative">
      <Menu label={label} trigger={<IconButton label={label} icon={<MoreIcon />} />}>
        <Items {...props} />
      </Menu>
    </div>
  );
}
